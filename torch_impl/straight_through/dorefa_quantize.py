"""Quantisation to 2^bits levels between 0 and 1, with the gradient of the clip."""

import torch
from torch import Tensor


class DorefaQuantizeFunction(torch.autograd.Function):
    """``DorefaQuantizeFunction.apply(x, bits)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, bits: int) -> Tensor:
        n = 2**bits - 1
        wide = x.clamp(0, 1).to(torch.promote_types(x.dtype, torch.float32))  # 16 bits do not hold n x
        return wide.mul_(n).round_().div_(n).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: bits is static
        (x,) = ctx.saved_tensors
        outside = x.clamp(0, 1).sub_(x).sign_().abs_()
        return torch.addcmul(dy, dy, outside, value=-1), None


def dorefa_quantize(x: Tensor, *, bits: int) -> Tensor:
    """The nearest of 2^bits levels between 0 and 1, of any shape; the gradient is dy there, 0 outside."""
    if bits not in range(1, 33):
        raise ValueError(f"bits={bits}: wanted a whole number from 1 to 32")
    return DorefaQuantizeFunction.apply(x, bits)
