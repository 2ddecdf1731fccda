"""A gradient that depends on nothing has no second derivative: that accuses nobody, whatever the other side's has.

Seen in code of public repositories.
"""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Returned(torch.autograd.Function):
    """Returns its input in place of a gradient, as a lower bound did."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.clamp(x, min=0.5)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return x


class Saved(torch.autograd.Function):
    """x^2 with the gradient 3 x dy, whose factor is saved by the forward: a constant to a second derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(3 * x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (factor,) = ctx.saved_tensors
        return factor * dy


def statuses(pair):
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "linear", "adjoint", "second_order"])
    return {(r.runner, r.check): r.status for r in report.results}, report


def test_the_side_that_is_right_is_not_accused_of_it():
    pair = Pair(torch=Returned, tf=lambda x: tf.maximum(x, tf.cast(0.5, x.dtype)), inputs={"x": porting.array()})
    found, report = statuses(pair)
    assert found["torch", "vjp"] == "differ", str(report)
    assert found["tf", "second_order"] == "no verdict", str(report)
    assert "differ" not in {status for (runner, _), status in found.items() if runner == "tf"}, str(report)


def test_what_the_forward_saved_is_found_beside_another_gradient():
    found, report = statuses(Pair(torch=Saved, tf=lambda x: x * x, inputs={"x": porting.array()}))
    assert found["torch", "vjp"] == "differ", str(report)
    assert found["torch", "second_order"] == "differ", str(report)
