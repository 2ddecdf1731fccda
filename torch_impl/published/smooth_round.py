"""Smooth step from 0 to 1 at x = 1/2, as printed."""

import torch
from torch import Tensor
from torch.autograd import Function


class SmoothRound(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, x: Tensor, alpha: float = 10.0) -> Tensor:
        ctx.save_for_backward(x)
        ctx.alpha = alpha
        return 0.5 + 0.5 * torch.tanh(alpha * (x - 0.5))

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: alpha is static
        (x,) = ctx.saved_tensors
        alpha = ctx.alpha
        return dy * alpha * (1 - torch.tanh(alpha * (x - 0.5)) ** 2), None


def smooth_round(x: Tensor, *, alpha: float = 10.0) -> Tensor:
    """1/2 + tanh(alpha (x - 1/2)) / 2 of any shape; the gradient is that of the tanh alone."""
    return SmoothRound.apply(x, alpha)
