"""Logarithm of a sum of exponentials along an axis; keeps its input and its output."""

import torch
from torch import Tensor


class LogsumexpFunction(torch.autograd.Function):
    """``LogsumexpFunction.apply(x, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, axis: int) -> Tensor:
        return torch.logsumexp(x, axis)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.axis = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: axis is static
        x, y = ctx.saved_tensors
        x = x.clamp(min=torch.finfo(x.dtype).min)  # a row of -inf has a finite softmax, which the masked dy makes 0
        dy = dy.masked_fill(y == -torch.inf, 0)
        return dy.unsqueeze(ctx.axis) * torch.softmax(x, ctx.axis), None


def logsumexp(x: Tensor, *, axis: int) -> Tensor:
    """Log of the sum of e^x along the axis; the gradient of a row of -inf is 0."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis={axis}: wanted {-x.ndim} <= axis < {x.ndim}, an axis of x")
    return LogsumexpFunction.apply(x, axis)
