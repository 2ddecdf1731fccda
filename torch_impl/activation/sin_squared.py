"""Squared sine; keeps its input, so that it can be differentiated again."""

import torch
from torch import Tensor


class SinSquaredFunction(torch.autograd.Function):
    """``SinSquaredFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.square(torch.sin(x))

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 2 * torch.sin(x) * torch.cos(x) * dy


def sin_squared(x: Tensor) -> Tensor:
    """sin(x)^2 of any shape."""
    return SinSquaredFunction.apply(x)
