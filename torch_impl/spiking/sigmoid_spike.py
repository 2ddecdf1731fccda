"""A spike whose gradient is that of the logistic function."""

import torch
from torch import Tensor


class SigmoidSpikeFunction(torch.autograd.Function):
    """``SigmoidSpikeFunction.apply(x, slope)``."""

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
        s = x.abs().mul_(-ctx.slope).sigmoid_()  # at most 1/2, so that nothing cancels in 1 - s
        return torch.ops.aten.sigmoid_backward(dy, s).mul_(ctx.slope), None


def sigmoid_spike(x: Tensor, *, slope: float = 25.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy slope sigmoid(slope x) sigmoid(-slope x)."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")
    return SigmoidSpikeFunction.apply(x, slope)
