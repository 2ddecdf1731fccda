"""A second derivative that raises for saved tensors alone names them."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")

ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "second_order"], "isolate": False}


class Saved(torch.autograd.Function):
    """`q` is saved by another function for this one, which has no gradient by it."""

    @staticmethod
    def forward(ctx, theta, q):
        ctx.save_for_backward(theta, q)
        return theta**2 * q

    @staticmethod
    def backward(ctx, dy):
        theta, q = ctx.saved_tensors
        kept = 2 * dy * theta
        dx = kept * q
        kept += 0.0  # what a derivative by q alone needs
        return dx, None


class Refused(Saved):
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, dy):
        theta, q = ctx.saved_tensors
        return 2 * dy * theta * q, None


class Whole(Saved):
    """It has a gradient by both, and raises for either."""

    @staticmethod
    def backward(ctx, dy):
        theta, q = ctx.saved_tensors
        twice = 2 * theta
        dx = dy * twice * q
        twice += 0.0
        return dx, dy * theta**2


def raised(side):
    inputs = {"theta": porting.array((3,)), "q": porting.array((3,), domain=(0.5, 2.0))}
    report = porting.check(Pair(torch=side, inputs=inputs), **ASKED)
    (finding,) = [f for r in report.results if r.check == "second_order" for f in r.findings]
    assert finding.code == "raised", str(report)
    return finding


def test_the_saved_tensor_is_named():
    finding = raised(Saved)
    assert finding.fields["raised_with"] == ("q",)
    assert "only where a gradient by q is asked for" in "\n".join(finding.details)


@pytest.mark.parametrize("side", [Refused, Whole])
def test_what_raises_for_any_input_names_none(side):
    assert "raised_with" not in raised(side).fields
