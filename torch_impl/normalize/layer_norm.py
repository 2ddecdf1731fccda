"""Mean 0 and variance 1 over the last axis, then a gain and a bias."""

import torch
from torch import Tensor


class LayerNormFunction(torch.autograd.Function):
    """``LayerNormFunction.apply(x, gain, bias, eps)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, gain: Tensor, bias: Tensor, eps: float) -> Tensor:
        unit, _ = _normalised(x, eps)
        return (2 * (gain / 2 * unit + bias / 2)).to(x.dtype)  # the halves do not overflow

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, gain, bias, ctx.eps = inputs
        ctx.save_for_backward(x, gain)
        ctx.bias_dtype = bias.dtype

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:  # None: eps is static
        x, gain = ctx.saved_tensors
        unit, s = _normalised(x, ctx.eps)
        dy = dy.to(unit.dtype)
        n = x.shape[-1]
        g = gain / n * dy  # of the size of a mean, so that no sum overflows
        h = g - g.mean(-1, keepdim=True)
        dx = (h - unit * (h * unit).mean(-1, keepdim=True)) * (n / s)
        dgain, dbias = (dy * unit).sum_to_size(gain.shape), dy.sum_to_size(gain.shape)
        return dx.to(x.dtype), dgain.to(gain.dtype), dbias.to(ctx.bias_dtype), None


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return c / s and s, where c = x - mean(x); halves and squares of scaled rows do not overflow."""
    x, root = (x.float() if x.dtype.itemsize == 2 else x) / 2, eps**0.5 / 2
    c = x - (x / x.shape[-1]).sum(-1, keepdim=True)
    scale = torch.linalg.vector_norm(c.detach(), torch.inf, dim=-1, keepdim=True).clamp(min=root)
    c = c / scale
    s = (c.square().mean(-1, keepdim=True) + (root / scale).square()).sqrt()
    return c / s, 2 * scale * s


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, *, eps: float) -> Tensor:
    """gain (x - mean) / sqrt(variance + eps) + bias, over the last axis; gain and bias have its length."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    for name, given in (("gain", gain), ("bias", bias)):
        if x.shape[-1:] != given.shape:
            raise ValueError(f"{name} of shape {list(given.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    return LayerNormFunction.apply(x, gain, bias, eps)
