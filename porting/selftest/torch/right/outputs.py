"""Masks beside the value, and gradients of 0."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import torch

from porting.selftest.planted import right
from porting.spec import op


@op(kinks={"x": (0.0,)})
def masked_relu(x: Any) -> Any:
    """max(x, 0), and where x is above 0."""
    return np.maximum(x, 0 * x), x > 0


@masked_relu.defvjp
def masked_relu_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy where x > 0."""
    return dy[0] * (x > 0)


@right(masked_relu)
class MaskReturned(torch.autograd.Function):
    """The second output is a mask, which is said to have no derivative; it is saved, too."""

    @staticmethod
    def forward(ctx, x):
        mask = x > 0
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(mask)
        return x.clamp(min=0), mask

    @staticmethod
    def backward(ctx, dy, _):
        (mask,) = ctx.saved_tensors
        return dy * mask


def _nothing(x: Any) -> Any:
    return 0 * x


@op(gradient_of=_nothing)
def stopped(x: Any) -> Any:
    """x, with a gradient of 0."""
    return x


@stopped.defvjp
def stopped_vjp(dy: Any, y: Any, x: Any) -> Any:
    """0."""
    return 0 * dy


@right(stopped)
class NoneForZero(torch.autograd.Function):
    """The gradient is 0 everywhere, and None says so."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return None


@right(stopped)
class ZerosAlone(torch.autograd.Function):
    """The gradient is made of zeros, and depends on nothing."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return torch.zeros_like(dy)
