"""Logistic function times a reciprocal square root; keeps its input alone."""

from math import log

import torch
from torch import Tensor


class SigmoidRsqrtFunction(torch.autograd.Function):
    """``SigmoidRsqrtFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        v, q = _roots(x)
        return v.mul_(q).mul_(q).mul_(q).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        v, q = _roots(x)
        s = q * q
        return (dy * (v * q)).mul_(torch.addcmul(s, s, s, value=-1.5)).to(x.dtype)  # dy r s (1 - 1.5 s)


def _roots(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return e^(-x / 2) and sigmoid(x)^(1 / 2), of which neither overflows."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    lowest = -1.9 * log(torch.finfo(wide.dtype).max)  # the sigmoid is 0 there already
    v = wide.clamp(min=lowest).mul_(-0.5).exp_()
    return v, v.square().add_(1).rsqrt_()


def sigmoid_rsqrt(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return SigmoidRsqrtFunction.apply(x)
