"""Three values whose gradient is that of the identity clipped at 1."""

import torch
from torch import Tensor
from torch.nn.functional import hardshrink


class SteTernaryFunction(torch.autograd.Function):
    """``SteTernaryFunction.apply(x, threshold)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, threshold: float) -> Tensor:
        return hardshrink(x, threshold).sign_()

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: threshold is static
        (x,) = ctx.saved_tensors
        outside = x.abs().sub_(1).sign_().relu_()
        return torch.addcmul(dy, dy, outside, value=-1), None


def ste_ternary(x: Tensor, *, threshold: float) -> Tensor:
    """The sign of x, 0 up to the threshold, of any shape; the gradient is dy up to 1, 0 beyond."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold}: wanted threshold >= 0")
    return SteTernaryFunction.apply(x, threshold)
