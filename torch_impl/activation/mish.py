"""Mish, the input times the hyperbolic tangent of its softplus; keeps its input alone."""

import torch
from torch import Tensor


class MishFunction(torch.autograd.Function):
    """``MishFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        s = torch.sigmoid(x)
        p = (2 - s).mul_(s)
        return p.div_(2 - p).mul_(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        wide = x.to(torch.promote_types(x.dtype, torch.float32))  # e^20 overflows in float16
        z = wide.clamp(-1000, 20)  # further out 1 - t^2 is 0
        e = z.exp()
        n = (e + 2).mul_(e)
        d = n + 2  # tanh(softplus(x)) is t = n / d, and sigmoid(x) (1 - t^2) is 4 (n - e) / d^2: nothing cancels
        return (dy * (n - e).mul_(z).div_(d).mul_(4).add_(n).div_(d)).to(x.dtype)


def mish(x: Tensor) -> Tensor:
    """x tanh(log(1 + e^x)) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return MishFunction.apply(x)
