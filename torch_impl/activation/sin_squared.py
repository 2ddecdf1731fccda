"""Squared sine; keeps its input, so that it can be differentiated again."""

import torch
from torch import Tensor


class SinSquaredFunction(torch.autograd.Function):
    """``SinSquaredFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        s = torch.sin(x)
        return s.mul_(s)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return dy * torch.sin(x).mul_(torch.cos(x)).mul_(2)


def sin_squared(x: Tensor) -> Tensor:
    """sin(x)^2 of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return SinSquaredFunction.apply(x)
