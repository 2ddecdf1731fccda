"""Inverse hyperbolic tangent, right up to the ends of (-1, 1); keeps its input."""

import torch
from torch import Tensor


class ArtanhFunction(torch.autograd.Function):
    """``ArtanhFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        if not torch.compiler.is_compiling():
            return torch.atanh(x)
        a = x.abs()  # compiled, torch.atanh has no digits near 0
        return a.div_(1 - a).mul_(2).log1p_().mul_(0.5).copysign_(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return dy / (1 - x).mul_(1 + x)


def artanh(x: Tensor) -> Tensor:
    """log((1 + x) / (1 - x)) / 2 of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return ArtanhFunction.apply(x)
