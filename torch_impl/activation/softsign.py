"""Softsign; keeps its input, because 1 minus the size of its output has lost its digits where the output is near 1."""

import torch
from torch import Tensor


class SoftsignFunction(torch.autograd.Function):
    """``SoftsignFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x / x.abs().add_(1)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        r = x.abs() + 1
        return dy / r / r


def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return SoftsignFunction.apply(x)
