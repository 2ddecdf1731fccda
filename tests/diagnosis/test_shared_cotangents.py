"""A backward is said to overwrite its cotangent only where another branch changes its gradient."""

import pytest

torch = pytest.importorskip("torch")

import porting  # noqa: E402 - without PyTorch there is no side
from porting import Pair  # noqa: E402


class Tripled(torch.autograd.Function):
    """Its gradient is wrong by itself."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return dy.mul_(2)


@pytest.mark.parametrize(("side", "told"), [(Tripled, False), (Scaled, True)])
def test_what_differs_without_another_branch_too_overwrites_nothing(side, told):
    report = porting.check(Pair(torch=side, like=lambda x: x + x), only=["shared_cotangent"], dtypes=["float64"])
    assert any(r.status == "differ" for r in report.results), str(report)
    assert ("overwrites_cotangent" in [d.cause for d in report.diagnoses]) == told, str(report)
