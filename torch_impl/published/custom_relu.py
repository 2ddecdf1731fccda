"""ReLU whose backward overwrites the cotangent, as printed."""

import torch
from torch import Tensor
from torch.autograd import Function


class CustomReLU(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return torch.clamp(x, min=0)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        dx = dy.clone()
        dx[x <= 0] = -0.5
        return dx


def custom_relu(x: Tensor) -> Tensor:
    """max(x, 0) of any shape; the gradient is -1/2 from 0 down, whatever dy is."""
    return CustomReLU.apply(x)
