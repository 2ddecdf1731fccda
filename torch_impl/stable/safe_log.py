"""Logarithm of max(x, eps), with the gradient of the tangent below eps; keeps its input."""

import torch
from torch import Tensor


class SafeLogFunction(torch.autograd.Function):
    """``SafeLogFunction.apply(x, eps)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, eps: float) -> Tensor:
        return x.clamp(min=eps).log_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.eps = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: eps is static
        (x,) = ctx.saved_tensors
        return dy / x.clamp(min=ctx.eps), None


def safe_log(x: Tensor, *, eps: float) -> Tensor:
    """log(max(x, eps)) of any shape; the gradient is dy / max(x, eps)."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not eps > 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    return SafeLogFunction.apply(x, eps)
