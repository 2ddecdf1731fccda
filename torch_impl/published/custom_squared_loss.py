"""Squared error whose backward overwrites the cotangent near the target, as printed."""

import torch
from torch import Tensor
from torch.autograd import Function


class CustomSquaredLoss(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, prediction: Tensor, target: Tensor) -> Tensor:
        y = (prediction - target) ** 2
        ctx.save_for_backward(prediction, target)
        return y

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor]:
        prediction, target = ctx.saved_tensors
        dprediction = 2 * (prediction - target) * dy
        dprediction[torch.abs(prediction - target) < 0.1] = 1.0
        return dprediction, -2 * (prediction - target) * dy


def custom_squared_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """(prediction - target)^2 per element; the gradient is 1 near the target, whatever dy is."""
    return CustomSquaredLoss.apply(prediction, target)
