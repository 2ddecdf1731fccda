"""Mish, the input times the hyperbolic tangent of its softplus; keeps its input alone."""

import torch
from torch import Tensor


class MishFunction(torch.autograd.Function):
    """``MishFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        s = torch.sigmoid(x)
        p = (2 - s).mul_(s)
        return p.div_(2 - p).mul_(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        x = ctx.saved_tensors[0].clamp(-1000, 1000)  # further out 1 - t^2 is 0
        s = torch.sigmoid(x)
        p = (2 - s).mul_(s)
        d = 2 - p
        r = 2 * (1 - s) / d  # r^2 is 1 - t^2 for t = tanh(softplus(x)) = p / d, which is next to 1
        return dy * (r * r * x * s + p / d)  # x s (1 - t^2) + t


def mish(x: Tensor) -> Tensor:
    """x tanh(log(1 + e^x)) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return MishFunction.apply(x)
