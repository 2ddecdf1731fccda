"""Where one side has no second derivative by an input, it agrees with nobody whose second derivative raises.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

INPUTS = {"x": porting.array(("n",)), "w": porting.array(("n",))}


class Raising(torch.autograd.Function):
    """Its backward changes in place what a second derivative needs."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        slope = x.exp()
        slope *= 1.0
        return slope * dy, None


def side(of_w):
    @tf.custom_gradient
    def exponential(x, w):
        return tf.exp(x), lambda dy: ((tf.exp(x) + of_w(w)) * dy, None)

    return exponential


@pytest.mark.parametrize(("of_w", "agrees"), [(tf.zeros_like, False), (lambda w: 0 * w, True)])
def test_who_has_no_second_derivative_by_an_input_is_not_said_to_agree(of_w, agrees):
    report = porting.check(Pair(torch=Raising, tf=side(of_w), inputs=INPUTS), **WIDEST, only=["vjp", "second_order"])
    found = {(r.runner, r.status) for r in report.results if r.check == "second_order"}
    assert found == {("torch", "differ"), ("tf", "agree")}, str(report)
    assert ("tf agrees there" in str(report)) is agrees, str(report)
