"""The same convention at a kink, and the same NaN, by another formula."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right


@right(toys.relu)
class OwnCopyMasked(torch.autograd.Function):
    """The tutorial's way: a copy of the cotangent is overwritten where x is not above 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx = dy.clone()
        dx[x <= 0] = 0
        dx[x.isnan()] = torch.nan
        return dx


@right(toys.maximum)
class TieAddedLater(torch.autograd.Function):
    """All goes to one of both, and then half of what meets at a tie is moved."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.larger, ctx.equal = x1 > x2, x1 == x2
        return torch.where(ctx.larger, x1, x2)

    @staticmethod
    def backward(ctx, dy):
        moved = torch.where(ctx.equal, dy / 2, 0)
        return torch.where(ctx.larger, dy, 0) + moved, torch.where(ctx.larger, 0, dy) - moved


planted_edits(
    __name__,
    """
    HalfOfBoth: relu
        The forward is half of x and half of |x|: the same function, without a comparison.
        - return torch.where(x <= 0, 0 * x, x)
        + return 0.5 * x + 0.5 * x.abs()
    ThreeSlopes: relu
        The slope is 1, 0, or x itself where x is neither above 0 nor not: NaN.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + return dy * torch.where(x > 0, 1, torch.where(x <= 0, 0, x))
    HeavisideWithNan: relu
        heaviside(), told to be 0 at 0; it says 0 of a NaN, which is put back.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + step = torch.heaviside(x.detach(), torch.zeros_like(x))
        + return dy * step.masked_fill(x.isnan(), torch.nan)
    MeanOfComparisons: maximum
        The mean of > and >=: 1/2 at a tie, without being asked about one.
        - first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        - return dy * first, dy * (1 - first)
        + first = ((x1 > x2).to(dy.dtype) + (x1 >= x2).to(dy.dtype)) / 2
        + return first * dy, dy - first * dy
    """,
)
