"""Euclidean norm along an axis with gradient 0 at 0; keeps its input and its output."""

import torch
from torch import Tensor
from torch.linalg import vector_norm


class SafeNormFunction(torch.autograd.Function):
    """``SafeNormFunction.apply(x, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, axis: int) -> Tensor:
        if not x.shape[axis]:
            return x.sum(axis)
        m = x.abs().amax(axis, keepdim=True)
        m = torch.where((m > 0) & (m < torch.inf), m, 1)  # the largest element: x / m neither overflows nor underflows
        return m.squeeze(axis) * vector_norm(x / m, 2, axis)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.axis = inputs
        ctx.save_for_backward(x, output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: axis is static
        x, y = ctx.saved_tensors
        y = y.masked_fill(y == 0, torch.inf)  # x / inf is 0
        return dy.unsqueeze(ctx.axis) * (x / y.unsqueeze(ctx.axis)), None


def safe_norm(x: Tensor, *, axis: int) -> Tensor:
    """sqrt of the sum of x^2 along the axis; the gradient is dy x / y, 0 where y = 0."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis={axis}: wanted {-x.ndim} <= axis < {x.ndim}, an axis of x")
    return SafeNormFunction.apply(x, axis)
