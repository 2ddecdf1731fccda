"""A backward is said to overwrite its cotangent only where another branch changes its gradient."""

import pytest

torch = pytest.importorskip("torch")

import porting  # noqa: E402 - without PyTorch there is no side
from porting import Pair  # noqa: E402


class Log(torch.autograd.Function):
    """Its gradient is a number outside of the domain, where the value is NaN."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy / x.clamp(min=1e-16)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return dy.mul_(2)


@pytest.mark.parametrize(("side", "like", "told"), [(Log, torch.log, False), (Scaled, lambda x: x + x, True)])
def test_what_differs_without_another_branch_too_overwrites_nothing(side, like, told):
    report = porting.check(Pair(torch=side, like=like), only=["shared_cotangent"], dtypes=["float64"])
    assert any(r.status == "differ" for r in report.results), str(report)
    assert ("overwrites_cotangent" in [d.cause for d in report.diagnoses]) == told, str(report)
