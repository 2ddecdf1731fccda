"""Floor whose gradient passes straight through."""

import torch
from torch import Tensor


class SteFloorFunction(torch.autograd.Function):
    """``SteFloorFunction.apply(x)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return torch.floor(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        """Nothing is kept."""

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        return dy


def ste_floor(x: Tensor) -> Tensor:
    """The largest integer that is not above x, of any shape; the gradient is dy."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return SteFloorFunction.apply(x)
