"""Gradients that promise not to be differentiated, and refuse it."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from porting.selftest.planted import right
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs
from porting.spec import op


@op(order=1)
def sine_once(x: Any) -> Any:
    """sin(x), whose gradient is not to be differentiated."""
    return np.sin(x)


@sine_once.defvjp
def sine_once_vjp(dy: Any, y: Any, x: Any) -> Any:
    """cos(x)."""
    return np.cos(x) * dy


@right(sine_once)
class NumpyOnce(torch.autograd.Function):
    """The backward computes in NumPy, and says that it can be differentiated once."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.as_tensor(np.cos(x.double().cpu().numpy())).to(dy) * dy


@right(sine_once)
class DerivativeSavedOnce(torch.autograd.Function):
    """The cosine is saved, and a second derivative refused."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(torch.cos(x))
        return torch.sin(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        (cosine,) = ctx.saved_tensors
        return cosine * dy


class _RefusedTwice(KeepsInputs):
    @staticmethod
    def forward(x, dy):
        return torch.cos(x) * dy

    @staticmethod
    def backward(ctx, ddx):
        raise NotImplementedError("the sine has no second derivative here")


@right(sine_once)
class RefusedInWords(twins.SineFunction):
    """The gradient is a Function whose own backward raises: the second derivative is refused in words."""

    @staticmethod
    def backward(ctx, dy):
        return _RefusedTwice.apply(*ctx.saved_tensors, dy)
