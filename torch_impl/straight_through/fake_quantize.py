"""Integers of some bits and back; the gradient passes where nothing was clipped."""

import torch
from torch import Tensor


class FakeQuantizeFunction(torch.autograd.Function):
    """``FakeQuantizeFunction.apply(x, scale, zero_point, low, high)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, scale: Tensor, zero_point: Tensor, low: int, high: int) -> Tensor:
        q = _quantized(x, scale, zero_point).clamp(low, high)
        return ((q - zero_point) * scale).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, scale, zero_point, ctx.low, ctx.high = inputs
        ctx.save_for_backward(x, scale, zero_point)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None, None, None]:  # None: x alone gets a gradient
        q = _quantized(*ctx.saved_tensors)
        return dy * (q == q.clamp(ctx.low, ctx.high)).to(dy.dtype), None, None, None, None


def _quantized(x: Tensor, scale: Tensor, zero_point: Tensor) -> Tensor:
    """Return the integers before they are clipped, as floats."""
    wide = x.float() if x.dtype.itemsize == 2 else x
    return (wide / scale).round() + zero_point


def fake_quantize(x: Tensor, scale: Tensor, zero_point: Tensor, *, bits: int, signed: bool) -> Tensor:
    """The number nearest to x that an integer of so many bits stands for; the gradient is 0 where x is clipped."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not 1 <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted 1 <= bits <= 24")
    if zero_point.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"zero_point: int32 or int64 is wanted, got {str(zero_point.dtype).removeprefix('torch.')}")
    for name, given in (("scale", scale), ("zero_point", zero_point)):
        if given.shape not in ((), x.shape[-1:]):
            raise ValueError(
                f"{name} of shape {list(given.shape)}: wanted [] or {list(x.shape[-1:])}, the last axis of x"
            )
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return FakeQuantizeFunction.apply(x, scale, zero_point, low, high)
