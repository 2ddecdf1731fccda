"""Masks, comparisons and branches that look as if infinity were forgotten."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sqrt_or_zero)
class MaskTimesFinite(twins.SqrtOrZeroFunction):
    """The derivative is multiplied by a mask: what stands under the root is 1 there, so it is finite."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (x > 0) * (dy / (2 * torch.where(x > 0, x, 1).sqrt()))


@right(toys.sqrt_or_zero)
class FilledBeforeAndAfter(twins.SqrtOrZeroFunction):
    """masked_fill() in place of where(), before the root and after it."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        outside = ~(x > 0)
        return (0.5 * dy * x.masked_fill(outside, 1).rsqrt()).masked_fill(outside, 0)


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


@right(toys.sigmoid)
class MagnitudeOnly(twins.SigmoidFunction):
    """The backward sees |x| alone: the derivative is an even function, and smooth at 0."""

    @staticmethod
    def backward(ctx, dy):
        e = torch.exp(-ctx.saved_tensors[0].abs())
        return dy * (e / (1 + e)) / (1 + e)


@right(toys.cube)
class SignTimesMagnitude(twins.CubeFunction):
    """The forward is sign(x) |x|^3, the gradient has |x|^2: no sign is lost."""

    @staticmethod
    def forward(x):
        return x.sign() * x.abs() ** 3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x.abs() ** 2 * dy


@right(toys.softplus)
class TwoHalves(twins.SoftplusFunction):
    """Each half has a formula of its own; in the one that is not taken x is replaced, so nothing overflows."""

    @staticmethod
    def forward(x):
        left, far = x.clamp(max=0), x.clamp(min=0)
        return torch.where(x > 0, far + torch.log1p(torch.exp(-far)), torch.log1p(torch.exp(left)))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        above = x > 0
        right_half = 1 / (1 + torch.exp(-torch.where(above, x, 0)))
        e = torch.exp(torch.where(above, 0, x))
        return dy * torch.where(above, right_half, e / (1 + e))
