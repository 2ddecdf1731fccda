"""Gaussian error linear unit in its tanh form; keeps its input alone."""

from math import pi, sqrt

import torch
from torch import Tensor

LINEAR = sqrt(8 / pi)
CUBIC = 0.044715 * LINEAR


class GeluTanhFunction(torch.autograd.Function):
    """``GeluTanhFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.square().mul_(CUBIC).add_(LINEAR).mul_(x).sigmoid_().mul_(x)  # faster than the kernel

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        x = x.clamp(-40, 40)  # the kernel multiplies x^2 by 0 there, which is NaN where x^2 overflows
        if not torch.compiler.is_compiling():
            return torch.ops.aten.gelu_backward(dy, x, approximate="tanh")
        square = x * x
        z = x * (LINEAR + CUBIC * square)
        e = torch.exp(-z.abs())  # no second derivative at 0; torch.compile refuses all of them
        r = 1 / (1 + e)  # sigmoid(|z|), and sigmoid(z) sigmoid(-z) is e r^2, in which nothing cancels
        return dy * (torch.where(z > 0, 1, e) * r + x * (e * r * r) * (LINEAR + 3 * CUBIC * square))


def gelu_tanh(x: Tensor) -> Tensor:
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return GeluTanhFunction.apply(x)
