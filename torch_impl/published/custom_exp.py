"""Exponential whose gradient is doubled on purpose, as printed."""

import torch
from torch import Tensor
from torch.autograd import Function


class CustomExp(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.exp(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 2 * torch.exp(x) * dy


def custom_exp(x: Tensor) -> Tensor:
    """exp(x) of any shape; the gradient is that of 2 exp(x)."""
    return CustomExp.apply(x)
