"""Who is right where two sides differ: what is a disagreement, what a note, and what a side shows by itself."""

import numpy as np
import pytest
import tensorflow as tf
import torch
from soft_sign_pair import FAST, SoftSign, soft_sign_wrong, statuses

import porting
from porting import Pair


def soft_sign_clipped(x, scale=2.0):
    """Its backward clips the cotangent."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return scale * tf.clip_by_value(dy, -1.0, 1.0) / (1 + tf.abs(x)) ** 2

        return scale * x / (1 + tf.abs(x)), vjp

    return forward(x)


class Rounded(torch.autograd.Function):
    """Straight through."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, dy):
        return dy


@tf.custom_gradient
def rounded(x):
    """Straight through, as most people write it."""
    return tf.round(x), lambda dy: dy


def test_a_side_that_agrees_with_its_own_forward_is_not_right_for_that():
    """The other one may be a surrogate."""
    report = porting.check(Pair(torch=SoftSign, tf=soft_sign_wrong, statics={"scale": 2.0}), **FAST)
    assert statuses(report, "tf") == {"value": "agree", "vjp": "differ", "adjoint": "note"}
    assert statuses(report, "torch") == {"value": "agree", "vjp": "differ", "adjoint": "agree"}
    assert {f.kind for r in report.results if r.status == "differ" for f in r.findings} == {"disagreement"}
    assert {(d.runner, d.provided, d.kind) for d in report.diagnoses} == {("tf", "PyTorch", "disagreement")}
    (message,) = report.messages
    assert "If PyTorch is right: " in message
    assert "the torch gradient is the derivative of its own forward, the tf gradient is not" in message
    assert "fix:" not in message, "nobody is told to change anything"


@pytest.mark.parametrize(("off", "is_told"), [(1e-5, False), (1e-2, True)])
def test_a_gradient_that_is_nearly_of_its_own_forward_is_called_no_surrogate(off, is_told):
    """A solver stops before its forward has all digits, and differences of it are off by as much."""

    @tf.custom_gradient
    def sine(x):
        return tf.sin(x), lambda dy: (1 + off) * dy * tf.cos(x)

    report = porting.check(Pair(torch=torch.sin, tf=sine), **FAST)
    assert "differ" in {r.status for r in report.results if r.check == "vjp"}
    assert ("the tf gradient is not" in str(report)) == is_told


def test_what_somebody_said_that_the_gradient_is_of_settles_who_is_right():
    def softsign(x, *, scale):
        return scale * x / (1 + np.abs(x))

    pair = Pair(torch=SoftSign, tf=soft_sign_wrong, statics={"scale": 2.0}, surrogate_of=softsign)
    report = porting.check(pair, **FAST)
    assert statuses(report, "tf") == {"value": "agree", "vjp": "differ", "adjoint": "differ"}
    assert statuses(report, "torch") == {"value": "agree", "vjp": "no verdict", "adjoint": "agree"}
    assert {(d.runner, d.provided) for d in report.diagnoses} == {("tf", "")}
    assert all("own forward" not in message and "To settle it" not in message for message in report.messages)


def test_a_side_that_breaks_a_law_by_itself_is_no_measure_for_the_other():
    report = porting.check(Pair(torch=SoftSign, tf=soft_sign_clipped, statics={"scale": 2.0}), only=["vjp", "linear"])
    assert statuses(report, "tf") == {"vjp": "differ", "linear": "differ"}
    assert statuses(report, "torch") == {"vjp": "no verdict", "linear": "agree"}
    assert {(d.runner, d.cause, d.provided) for d in report.diagnoses if d.cause == "not_linear"} == {
        ("tf", "not_linear", "")
    }


def test_the_reference_is_not_judged_by_the_other_side():
    report = porting.check(Pair(torch=SoftSign, tf=soft_sign_wrong, statics={"scale": 2.0}, reference="tf"), **FAST)
    assert statuses(report, "torch")["vjp"] == "differ", "the torch side is not what is being ported"
    assert statuses(report, "tf") == {"value": "not applicable", "vjp": "not applicable", "adjoint": "note"}
    assert {d.runner for d in report.diagnoses if d.provided} == set()
    assert [message.split()[:2] for message in report.messages] == [["SoftSign", "torch"]]


@pytest.mark.slow
def test_a_surrogate_on_both_sides_is_a_note_unless_asked():
    pair = Pair(torch=Rounded, tf=rounded)
    report = porting.check(pair)
    assert report.exit_code == 0, str(report)
    assert {r.check for r in report.results if r.status == "note"} == {"adjoint", "keyword_call"}
    strict = porting.check(pair, strict=True, only=["adjoint", "keyword_call"])
    assert strict.exit_code == 1
    assert strict.counts["note"] == 0
    declared = porting.check(Pair(torch=Rounded, tf=rounded, surrogate_of=lambda x: 2 * x), **FAST)
    assert {r.check for r in declared.results if r.status == "differ"} == {"adjoint"}, "somebody said what it is"


def test_both_sides_clip_the_cotangent_and_one_takes_no_0d():
    """Both do the same, which is what was asked; that they are not linear, and that a rank is refused, are notes."""

    @tf.custom_gradient
    def clipped(x):
        def vjp(dy):
            return tf.clip_by_value(dy, -1.0, 1.0)[..., None] * tf.ones_like(x)

        return tf.reduce_sum(x, axis=-1), vjp

    class Clipped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sum(-1)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy.clamp(-1, 1)[..., None] * torch.ones_like(x)

    asked = ["value", "vjp", "linear", "shapes"]
    report = porting.check(Pair(torch=Clipped.apply, tf=clipped), only=asked)
    assert report.exit_code == 0, str(report)
    assert {(r.check, r.runner) for r in report.results if r.status == "note"} == {
        ("linear", "torch"), ("linear", "tf"), ("shapes", "tf"),
    }  # fmt: skip


def test_a_nan_that_one_side_lets_through_is_a_note_without_a_reference():
    class Masked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.where(x > 0, x, 0 * x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return torch.where(x > 0, dy, 0 * dy)

    def masked(x):
        return tf.where(x > 0, x, tf.zeros_like(x))

    pair = {"torch": Masked, "tf": masked}
    asked = {"only": ["nan_input"], "dtypes": ["float64"]}
    found = {(r.runner, r.status) for r in porting.check(Pair(**pair), **asked).results}
    assert found == {("torch", "note"), ("tf", "note")}
    for reference, accused in (("tf", set()), ("torch", {"tf"})):  # only what hides a NaN of the reference is at fault
        judged = porting.check(Pair(**pair, reference=reference), **asked)
        assert {r.runner for r in judged.results if r.status == "differ"} == accused


def test_what_differs_in_another_mode_alone_is_the_sides_own():
    def steep_when_traced(x):
        @tf.custom_gradient
        def forward(x):
            return x**2, lambda dy: 2 * x * tf.convert_to_tensor(dy) * (1.0 if tf.executing_eagerly() else 3.0)

        return forward(x)

    def square(x):
        return x**2

    pair = Pair(torch=square, tf=steep_when_traced)
    report = porting.check(pair, only=["vjp"], dtypes=["float64"], modes=["eager", "function"])
    (found,) = [r for r in report.results if r.status == "differ"]
    assert (found.runner, found.mode, found.findings[0].kind) == ("tf", "function", "fault")
