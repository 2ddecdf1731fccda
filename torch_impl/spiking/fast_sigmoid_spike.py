"""A spike whose gradient is that of the fast sigmoid."""

import torch
from torch import Tensor


class FastSigmoidSpikeFunction(torch.autograd.Function):
    """``FastSigmoidSpikeFunction.apply(x, slope)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, slope: float) -> Tensor:
        return x.sign().relu_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.slope = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: slope is static
        (x,) = ctx.saved_tensors
        r = x.abs().mul_(ctx.slope).add_(1).reciprocal_()
        return (dy * r).mul_(r), None


def fast_sigmoid_spike(x: Tensor, *, slope: float = 25.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy / (1 + slope |x|)^2."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")
    return FastSigmoidSpikeFunction.apply(x, slope)
