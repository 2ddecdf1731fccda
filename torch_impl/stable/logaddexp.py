"""Logarithm of the sum of two exponentials; keeps both inputs."""

import torch
from torch import Tensor


class LogaddexpFunction(torch.autograd.Function):
    """``LogaddexpFunction.apply(x1, x2)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x1: Tensor, x2: Tensor) -> Tensor:
        return torch.logaddexp(x1, x2)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor]:
        x1, x2 = ctx.saved_tensors
        lowest = torch.finfo(x1.dtype).min  # -inf - lowest is -inf, where -inf - (-inf) is NaN
        dx1 = dy * (x1 - x2.clamp(min=lowest)).sigmoid_()
        dx2 = dy * (x2 - x1.clamp(min=lowest)).sigmoid_()
        return dx1, dx2


def logaddexp(x1: Tensor, x2: Tensor) -> Tensor:
    """log(e^x1 + e^x2), both of one shape; the gradients are 0 where both are -inf."""
    if x1.shape != x2.shape:
        raise ValueError(f"x1 {list(x1.shape)}, x2 {list(x2.shape)}: wanted one shape")
    return LogaddexpFunction.apply(x1, x2)
