"""Gradient reversal: the value as it is, the gradient with the other sign."""

import torch
from torch import Tensor


class ReverseGradientFunction(torch.autograd.Function):
    """``ReverseGradientFunction.apply(x, scale)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, scale: float) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.scale = inputs

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: scale is static
        return -ctx.scale * dy, None


def reverse_gradient(x: Tensor, *, scale: float = 1.0) -> Tensor:
    """x of any shape; the gradient is -scale dy."""
    return ReverseGradientFunction.apply(x, scale)
