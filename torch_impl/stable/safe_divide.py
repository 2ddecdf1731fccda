"""Quotient that is 0 where the divisor is 0; keeps the divisor and its output."""

import torch
from torch import Tensor
from torch.nn.functional import threshold_


class SafeDivideFunction(torch.autograd.Function):
    """``SafeDivideFunction.apply(x1, x2)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x1: Tensor, x2: Tensor) -> Tensor:
        return torch.ops.aten.threshold_backward(x1 / x2, x2.abs(), 0)  # 0 where |x2| <= 0

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(inputs[1], output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor]:
        x2, y = ctx.saved_tensors
        divisor = threshold_(x2.abs(), 0, torch.inf).copysign_(x2)  # infinity where x2 is 0
        return dy / divisor, dy * (y / divisor).neg_()


def safe_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """x1 / x2, both of one shape; 0 with gradients 0 where x2 is 0."""
    if x1.shape != x2.shape:
        raise ValueError(f"x1 {list(x1.shape)}, x2 {list(x2.shape)}: wanted one shape")
    return SafeDivideFunction.apply(x1, x2)
