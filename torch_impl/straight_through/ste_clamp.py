"""Clipping whose gradient passes everywhere."""

import torch
from torch import Tensor


class SteClampFunction(torch.autograd.Function):
    """``SteClampFunction.apply(x, low, high)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, low: float, high: float) -> Tensor:
        return torch.clamp(x, low, high)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        """Nothing is kept."""

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: low and high are static
        return dy, None, None


def ste_clamp(x: Tensor, *, low: float, high: float) -> Tensor:
    """x between low and high, of any shape; the gradient is dy, outside too."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not low <= high:
        raise ValueError(f"low={low}, high={high}: wanted low <= high")
    return SteClampFunction.apply(x, low, high)
