"""Step from 0 to 1 whose gradient is that of a clipped identity."""

import torch
from torch import Tensor


class SteHeavisideFunction(torch.autograd.Function):
    """``SteHeavisideFunction.apply(x, clip)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, clip: float) -> Tensor:
        return x.sign().relu_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.clip = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: clip is static
        (x,) = ctx.saved_tensors
        outside = x.abs().sub_(ctx.clip).sign_().relu_()
        return torch.addcmul(dy, dy, outside, value=-1), None


def ste_heaviside(x: Tensor, *, clip: float = 1.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy up to the clip, 0 beyond."""
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")
    return SteHeavisideFunction.apply(x, clip)
