"""Exponential whose gradient stops growing at a limit; keeps its input."""

import torch
from torch import Tensor


class TruncExpFunction(torch.autograd.Function):
    """``TruncExpFunction.apply(x, limit)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, limit: float) -> Tensor:
        return torch.exp(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.limit = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: limit is static
        (x,) = ctx.saved_tensors
        wide = torch.promote_types(x.dtype, torch.float32)  # e^15 overflows in float16
        return (dy * x.clamp(max=ctx.limit).to(wide).exp_()).to(x.dtype), None


def trunc_exp(x: Tensor, *, limit: float = 15.0) -> Tensor:
    """e^x of any shape; the gradient is dy e^min(x, limit)."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return TruncExpFunction.apply(x, limit)
