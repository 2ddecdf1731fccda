"""Sign of two values whose gradient is that of a clipped identity."""

import torch
from torch import Tensor


class SteSignFunction(torch.autograd.Function):
    """``SteSignFunction.apply(x, clip)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, clip: float) -> Tensor:
        return x.sign().add_(0.5).sign_()  # +1 at 0

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.clip = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: clip is static
        (x,) = ctx.saved_tensors
        outside = x.abs().sub_(ctx.clip).sign_().relu_()
        return torch.addcmul(dy, dy, outside, value=-1), None


def ste_sign(x: Tensor, *, clip: float = 1.0) -> Tensor:
    """+1 from 0 up, -1 below, of any shape; the gradient is dy up to the clip, 0 beyond."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")
    return SteSignFunction.apply(x, clip)
