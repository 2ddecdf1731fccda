"""Squared error whose gradient does not fade near the target."""

import torch
from torch import Tensor


class SquaredErrorFloorGradientFunction(torch.autograd.Function):
    """``SquaredErrorFloorGradientFunction.apply(prediction, target, threshold, floor)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(prediction: Tensor, target: Tensor, threshold: float, floor: float) -> Tensor:
        d = prediction - target
        return d.mul_(d)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        prediction, target, ctx.threshold, ctx.floor = inputs
        ctx.save_for_backward(prediction, target)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None, None]:  # None: threshold and floor are static
        prediction, target = ctx.saved_tensors
        d = prediction - target
        far = d.detach().abs().neg_()
        inside = torch.ops.aten.threshold_backward(d, far, -ctx.threshold)  # d where |d| < threshold, else 0
        outside = d.sub_(inside)
        dprediction = dy * outside.mul_(2).add_(inside.sign_(), alpha=ctx.floor)
        return dprediction, -dprediction, None, None


def squared_error_floor_gradient(
    prediction: Tensor, target: Tensor, *, threshold: float = 0.1, floor: float = 1.0
) -> Tensor:
    """(prediction - target)^2 per element; the gradient has size floor within the threshold."""
    return SquaredErrorFloorGradientFunction.apply(prediction, target, threshold, floor)
