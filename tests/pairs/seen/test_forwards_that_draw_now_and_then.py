"""A forward that draws random numbers draws them by design: seen late, where a gate is seldom open, it is a note.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST, causes

import porting
from porting import Pair
from porting.parity import drawing

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


@tf.custom_gradient
def dropped(x):
    mask = tf.cast(tf.random.uniform(tf.shape(x)) < 0.5, x.dtype)
    return x * mask, lambda dy: dy * mask


@tf.custom_gradient
def dropped_in_the_backward(x):
    return tf.identity(x), lambda dy: dy * tf.cast(tf.random.uniform(tf.shape(x)) < 0.5, x.dtype)


def checked(side, monkeypatch):
    """Check a pair in which nobody saw that a side draws, as no call opened its gate."""
    monkeypatch.setattr(drawing, "draws", lambda *_: "")
    pair = Pair(torch=function(lambda x: x.clone(), lambda dy, x: dy), tf=side, inputs=ANY)
    return porting.check(pair, **WIDEST, only=["repeated", "value"])


def test_a_forward_that_draws_is_a_note(monkeypatch):
    report = checked(dropped, monkeypatch)
    (repeated,) = [r for r in report.results if (r.runner, r.check) == ("tf", "repeated")]
    assert repeated.status == "note", str(report)
    assert "the forward draws random numbers" in repeated.findings[0].what
    assert not [d for d in report.diagnoses if d.cause == "random_backward"], str(report)


def test_a_backward_that_draws_by_itself_is_a_fault(monkeypatch):
    report = checked(dropped_in_the_backward, monkeypatch)
    assert causes(report, "tf")[0] == "random_backward", str(report)
