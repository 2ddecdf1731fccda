"""A spike whose gradient is a triangle."""

import torch
from torch import Tensor


class TriangularSpikeFunction(torch.autograd.Function):
    """``TriangularSpikeFunction.apply(x, width, dampening)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, width: float, dampening: float) -> Tensor:
        return x.sign().relu_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.width, ctx.dampening = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: width and dampening are static
        (x,) = ctx.saved_tensors
        triangle = (ctx.width - x.abs()).relu_() * (ctx.dampening / ctx.width / ctx.width)
        return dy * triangle, None, None


def triangular_spike(x: Tensor, *, width: float = 1.0, dampening: float = 0.3) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy (dampening / width) max(0, 1 - |x| / width)."""
    if not (width > 0 and dampening > 0):
        raise ValueError(f"width={width}, dampening={dampening}: wanted width > 0 and dampening > 0")
    return TriangularSpikeFunction.apply(x, width, dampening)
