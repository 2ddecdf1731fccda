"""A gradient that is NaN is seen where there is nothing to compare with but the op's own forward."""

import pytest

from porting import check
from porting.pairs.array import array
from porting.pairs.pair import Pair

torch = pytest.importorskip("torch")


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return torch.cos(ctx.saved_tensors[0]) * dy


class AllNan(Sine):
    @staticmethod
    def backward(ctx, dy):
        return dy * float("nan")


class WrongThenNan(Sine):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, (torch.cos(x) + 0.7) * dy, dy * float("inf") * 0)


def alone(side):
    return check(Pair(torch=side.apply, name="sine", inputs={"x": array((3, 4))}), dtypes=["float64"])


@pytest.mark.parametrize("side", [AllNan, WrongThenNan])
def test_a_nan_is_not_the_derivative_of_the_forward(side):
    report = alone(side)
    found = {r.check: r for r in report.results if r.status == "differ"}
    assert [f.code for f in found["adjoint"].findings] == ["not_its_derivative"]
    assert report.exit_code == 1
    assert report.diagnoses[0].cause != "precision_loss"


def test_a_right_gradient_alone_is_not_accused():
    assert alone(Sine).counts["differ"] == 0


class Pole(Sine):
    """The forward is infinite at most inputs: nothing can be said of its derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / 0.0

    @staticmethod
    def backward(ctx, dy):
        return dy / 0.0


def test_where_the_forward_is_not_finite_nothing_is_said_to_agree():
    (result,) = [r for r in alone(Pole).results if r.check == "adjoint"]
    assert (result.status, result.compared) == ("not applicable", 0)


def test_where_factors_of_a_matrix_jump_no_gradient_is_missed():
    """Of a matrix of zeros R alone has slopes, by its first element; Q jumps with the others."""
    pair = Pair(torch=torch.linalg.qr, name="qr", inputs={"x": array((3, 3))})
    report = check(pair, only=["finite"], dtypes=["float64"])
    assert report.counts["agree"], str(report)
    assert not report.counts["differ"], str(report)
