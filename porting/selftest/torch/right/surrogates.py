"""Gradients that are no derivative of the value, as their ops say."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import torch

from porting.selftest.planted import right
from porting.spec import identity, op, unstated


def _negative(x: Any) -> Any:
    return -x


@op(gradient_of=_negative)
def reversal(x: Any) -> Any:
    """x, with the gradient of -x."""
    return x


@reversal.defvjp
def reversal_vjp(dy: Any, y: Any, x: Any) -> Any:
    """-dy."""
    return -dy


@op(gradient_of=identity)
def clamped(x: Any) -> Any:
    """x between -1 and 1, with the gradient of x."""
    return np.clip(x, -1.0, 1.0)


@clamped.defvjp
def clamped_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy, as it comes."""
    return dy


@op(gradient_of=unstated("clips the cotangent, so it is no derivative"), linear=False)
def clipped(x: Any) -> Any:
    """x, with a gradient between -1 and 1."""
    return x


@clipped.defvjp
def clipped_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy between -1 and 1."""
    return np.clip(dy, -1.0, 1.0)


@right(reversal)
class ViewReturned(torch.autograd.Function):
    """The output is a view of the input, and ctx keeps nothing."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return dy.neg()


@right(reversal)
class InputReturned(torch.autograd.Function):
    """The output is the input itself."""

    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy * -1


@right(reversal)
def reversed_by_detaching(x):
    """-x, less -x without a graph, is 0 and has a derivative of -1."""
    return x.detach() + (-x - (-x).detach())


@right(reversal)
def reversed_by_a_hook(x):
    """A hook on a copy turns what comes back."""
    y = x.clone()
    if y.requires_grad:
        y.register_hook(torch.neg)
    return y


@right(clamped)
class CotangentReturned(torch.autograd.Function):
    """The backward returns the cotangent itself, whatever was clamped."""

    @staticmethod
    def forward(ctx, x):
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, dy):
        return dy


@right(clamped)
def clamped_by_data(x):
    """A copy's data are clamped behind autograd's back."""
    y = x.clone()
    with torch.no_grad():
        y.clamp_(-1, 1)
    return y


@right(clipped)
class ClippedTwice(torch.autograd.Function):
    """The cotangent is clipped by two comparisons, which let NaN through."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return torch.where(dy > 1, 1, torch.where(dy < -1, -1, dy))
