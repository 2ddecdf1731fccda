"""A side with a fault of its own is no measure for the other one, for what that touches."""

import pytest
import tensorflow as tf
import torch

import porting
from porting import Pair

ASKED = {"only": ["value", "vjp", "adjoint", "finite", "special_values", "linear"], "dtypes": ["float64"]}


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.logaddexp(x, torch.zeros_like(x))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.sigmoid(x)


class SoftplusOverflows(Softplus):
    """exp(x) / (1 + exp(x)) is infinity by infinity far out."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(x) / (1 + torch.exp(x))


class SoftplusSingle(Softplus):
    """Computes in float32 whatever comes in."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (dy.float() * torch.sigmoid(x.float())).to(dy.dtype)


def softplus(x):
    @tf.custom_gradient
    def forward(x):
        return tf.math.softplus(x), lambda dy: tf.convert_to_tensor(dy) * tf.sigmoid(x)

    return forward(x)


class CubeRoot(torch.autograd.Function):
    """Its derivative at 0 is infinite, and so is its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x) * x.abs() ** (1 / 3)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x.abs() ** (-2 / 3) / 3


class SquareRoot(torch.autograd.Function):
    """NaN below 0, infinite at 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sqrt(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy / (2 * torch.sqrt(x))


def by_side(report):
    return {(r.check, r.runner): r.status for r in report.results}


@pytest.mark.parametrize("wrong", [SoftplusOverflows, SoftplusSingle])
def test_the_side_with_the_fault_is_accused_alone(wrong):
    report = porting.check(Pair(torch=wrong, tf=softplus), **ASKED)
    assert {r.runner for r in report.results if r.status == "differ"} == {"torch"}, str(report)
    assert {status for (_, runner), status in by_side(report).items() if runner == "tf"} <= {"agree", "no verdict"}
    accused = [f.kind for r in report.results if r.status == "differ" for f in r.findings]
    assert "disagreement" not in accused, str(report)


def test_a_right_pair_has_no_fault():
    report = porting.check(Pair(torch=Softplus, tf=softplus), **ASKED)
    assert report.exit_code == 0, str(report)
    assert {by_side(report)["finite", key] for key in ("torch", "tf")} == {"agree"}


@pytest.mark.parametrize("right", [Softplus, CubeRoot, SquareRoot])
def test_a_side_alone_may_be_infinite_where_its_slope_is(right):
    assert porting.check(Pair(torch=right), only=["finite"]).counts["differ"] == 0


def test_a_side_alone_is_told_of_its_own_infinities():
    report = porting.check(Pair(torch=SoftplusOverflows), only=["finite"])
    (result,) = [r for r in report.results if r.status == "differ"]
    assert result.findings[0].what == "gradient of x is not finite where the true one is for x = 720"
