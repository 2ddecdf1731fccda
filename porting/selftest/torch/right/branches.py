"""Masks, comparisons and branches that look as if infinity were forgotten."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right


@right(toys.sqrt_or_zero)
class ChosenByIndex(torch.autograd.Function):
    """The positive elements are taken out, and their gradients are written into zeros."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = 0 * x
        y[x > 0] = x[x > 0].sqrt()
        return y

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        positive = x > 0
        dx = torch.zeros_like(dy)
        dx[positive] = dy[positive] / (2 * x[positive].sqrt())
        return dx


planted_edits(
    __name__,
    """
    MaskOfWhatIsBlocked: relu
        The mask marks what is blocked, and is negated where it is used.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + blocked = ~(x > 0)
        + return dy * ~blocked + 0 * x.isnan() * x
    MaskTimesFinite: sqrt_or_zero
        The derivative is multiplied by a mask: what stands under the root is 1 there, so it is finite.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + return (x > 0) * (dy / (2 * torch.where(x > 0, x, 1).sqrt()))
    FilledBeforeAndAfter: sqrt_or_zero
        masked_fill() in place of where(), before the root and after it.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + outside = ~(x > 0)
        + return (0.5 * dy * x.masked_fill(outside, 1).rsqrt()).masked_fill(outside, 0)
    MagnitudeOnly: sigmoid
        The backward sees |x| alone: the derivative is an even function, and smooth at 0.
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + e = torch.exp(-ctx.saved_tensors[0].abs())
        + return dy * (e / (1 + e)) / (1 + e)
    SignTimesMagnitude: cube
        The forward is sign(x) |x|^3, the gradient has |x|^2: no sign is lost.
        - return x**3
        + return x.sign() * x.abs() ** 3
        - return 3 * x**2 * dy
        + return 3 * x.abs() ** 2 * dy
    TwoHalves: softplus
        Each half has a formula of its own; in the one that is not taken x is replaced, so nothing overflows.
        - return torch.logaddexp(torch.zeros_like(x), x)
        + left, far = x.clamp(max=0), x.clamp(min=0)
        + return torch.where(x > 0, far + torch.log1p(torch.exp(-far)), torch.log1p(torch.exp(left)))
        - return torch.sigmoid(x) * dy
        + above = x > 0
        + right_half = 1 / (1 + torch.exp(-torch.where(above, x, 0)))
        + e = torch.exp(torch.where(above, 0, x))
        + return dy * torch.where(above, right_half, e / (1 + e))
    """,
)
