"""Quantisation whose step is learned."""

import torch
from torch import Tensor


class LsqQuantizeFunction(torch.autograd.Function):
    """``LsqQuantizeFunction.apply(x, step, low, high)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, step: Tensor, low: int, high: int) -> Tensor:
        return (_in_steps(x, step).clamp(low, high).round() * step).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, step, ctx.low, ctx.high = inputs
        ctx.save_for_backward(x, step)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None, None]:  # None: low and high are static
        x, step = ctx.saved_tensors
        r = _in_steps(x, step)
        at = r.detach()
        inside = ((ctx.high - at) * (at - ctx.low)).sign().clamp(min=0)  # comparisons are slower
        r = r.clamp(ctx.low, ctx.high)
        scale = (max(x.numel(), 1) * ctx.high) ** -0.5
        dstep = scale * (dy * (r.round() - r * inside)).sum()
        return (dy * inside).to(x.dtype), dstep.to(step.dtype), None, None


def _in_steps(x: Tensor, step: Tensor) -> Tensor:
    return (x.float() if x.dtype.itemsize == 2 else x) / step


def lsq_quantize(x: Tensor, step: Tensor, *, bits: int, signed: bool) -> Tensor:
    """x / step clipped, rounded, times step; the gradient of the step is scaled by 1 / sqrt(n high)."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not 1 + signed <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted {1 + signed} <= bits <= 24")
    if step.dim():
        raise ValueError(f"step of shape {list(step.shape)}: wanted []")
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return LsqQuantizeFunction.apply(x, step, low, high)
