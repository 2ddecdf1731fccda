"""A spike whose gradient is that of an arc tangent."""

from math import pi

import torch
from torch import Tensor


class AtanSpikeFunction(torch.autograd.Function):
    """``AtanSpikeFunction.apply(x, alpha)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, alpha: float) -> Tensor:
        return x.sign().relu_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.alpha = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: alpha is static
        (x,) = ctx.saved_tensors
        wide = x.to(torch.promote_types(x.dtype, torch.float32))  # in 16 bits the square overflows early
        return (dy / (wide * wide).mul_(pi * pi / 2 * ctx.alpha).add_(2 / ctx.alpha)).to(x.dtype), None


def atan_spike(x: Tensor, *, alpha: float = 2.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy (alpha / 2) / (1 + (pi alpha x / 2)^2)."""
    if not alpha > 0:
        raise ValueError(f"alpha={alpha}: wanted alpha > 0")
    return AtanSpikeFunction.apply(x, alpha)
