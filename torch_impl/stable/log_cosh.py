"""Logarithm of the hyperbolic cosine; keeps its input."""

import torch
from torch import Tensor


class LogCoshFunction(torch.autograd.Function):
    """``LogCoshFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32)).abs()  # e^20 overflows in float16
        a = wide.clamp(max=20)
        m = torch.expm1(a)
        near = (m * m).div_(m.mul_(2).add_(2)).log1p_()
        return near.add_(wide.sub_(a)).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        if not torch.compiler.is_compiling():
            return dy * torch.tanh(x)
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        m = torch.expm1(2 * wide.clamp(-20, 20))
        return dy * (m / (m + 2)).to(x.dtype)  # compiled, this is faster than torch.tanh


def log_cosh(x: Tensor) -> Tensor:
    """log(cosh(x)) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return LogCoshFunction.apply(x)
