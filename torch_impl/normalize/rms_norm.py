"""Division by the root mean square over the last axis, times a gain."""

import torch
from torch import Tensor


class RmsNormFunction(torch.autograd.Function):
    """``RmsNormFunction.apply(x, gain, eps)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, gain: Tensor, eps: float) -> Tensor:
        unit, _ = _normalised(x, eps)
        return (gain * unit).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, gain, ctx.eps = inputs
        ctx.save_for_backward(x, gain)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None]:  # None: eps is static
        x, gain = ctx.saved_tensors
        unit, r = _normalised(x, ctx.eps)
        n = x.shape[-1]
        g = gain / n * dy.to(unit.dtype)  # of the size of a mean, so that no sum overflows
        dx = (g - unit * (g * unit).mean(-1, keepdim=True)) * (n / r)
        dgain = (dy * unit).sum_to_size(gain.shape)
        return dx.to(x.dtype), dgain.to(gain.dtype), None


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return x / r and r; nothing overflows, since the squares are those of scaled rows."""
    x = x.float() if x.dtype.itemsize == 2 else x
    scale = torch.linalg.vector_norm(x.detach(), torch.inf, dim=-1, keepdim=True).clamp(min=eps**0.5)
    x = x / scale
    r = (x.square().mean(-1, keepdim=True) + (eps**0.5 / scale).square()).sqrt()
    return x / r, scale * r


def rms_norm(x: Tensor, gain: Tensor, *, eps: float) -> Tensor:
    """gain x / sqrt(mean(x^2) + eps), the mean over the last axis; the gain has the length of that axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    if x.shape[-1:] != gain.shape:
        raise ValueError(f"gain of shape {list(gain.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    return RmsNormFunction.apply(x, gain, eps)
