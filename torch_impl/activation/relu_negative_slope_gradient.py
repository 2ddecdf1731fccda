"""ReLU whose gradient leaks with a slope from 0 down."""

import torch
from torch import Tensor


class ReluNegativeSlopeGradientFunction(torch.autograd.Function):
    """``ReluNegativeSlopeGradientFunction.apply(x, slope)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, slope: float) -> Tensor:
        return torch.clamp(x, min=0)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.slope = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: slope is static
        (x,) = ctx.saved_tensors
        if not torch.compiler.is_compiling():
            return torch.ops.aten.leaky_relu_backward(dy, x, ctx.slope, False), None
        above = torch.sign(x).clamp(min=0)  # [x > 0] without a mask, which torch.compile would keep, and keeps slowly
        below = 1 - above
        return dy * above.add_(below, alpha=ctx.slope), None


def relu_negative_slope_gradient(x: Tensor, *, slope: float = -0.5) -> Tensor:
    """max(x, 0) of any shape; the gradient is slope dy from 0 down."""
    return ReluNegativeSlopeGradientFunction.apply(x, slope)
