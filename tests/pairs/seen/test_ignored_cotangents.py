"""A gradient that ignores its cotangent, as one that replaces a moving average does: it may be meant.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


@tf.custom_gradient
def replaced(x):
    return tf.identity(x), lambda dy: x - 1


def test_it_is_no_measure_and_nobody_says_that_it_has_a_fault():
    pair = Pair(torch=function(lambda x: 1 * x, lambda dy, x: dy * (x - 1)), tf=replaced, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["value", "vjp", "linear"])
    told = [r.note for r in report.results if r.runner == "torch" and "which it is compared with" in r.note]
    assert told, str(report)
    assert all("is no measure there: its gradient is not linear in the cotangent" in note for note in told), told
