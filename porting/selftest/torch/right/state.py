"""Something is kept between calls, counted or drawn, and no result depends on it."""

# mypy: allow-untyped-defs, allow-untyped-calls

from functools import cache
from typing import Any

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins

_ONES: dict[Any, Any] = {}
_ORDER = torch.Generator()


@right(toys.scale_columns)
class OnesByShape(torch.autograd.Function):
    """A vector of ones is kept in the module for each length and type; the sum over rows is a product with it."""

    @staticmethod
    def forward(ctx, x, b):
        ctx.save_for_backward(x, b)
        return x * b

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        rows = x.shape[:-1].numel()
        key = rows, dy.dtype, dy.device
        if key not in _ONES:
            _ONES[key] = torch.ones(rows, dtype=dy.dtype, device=dy.device)
        return dy * b, _ONES[key] @ (dy * x).reshape(rows, x.shape[-1])


@cache
def _factor(exponent):
    return float(exponent)


@right(toys.cube)
class CallsCounted(twins.CubeFunction):
    """The class has the factor 3 and counts its calls; neither changes a result."""

    factor = 3
    calls = 0

    @staticmethod
    def backward(ctx, dy):
        CallsCounted.calls += 1
        (x,) = ctx.saved_tensors
        return CallsCounted.factor * x**2 * dy


@right(toys.sine)
class BackwardsCounted(torch.autograd.Function):
    """ctx itself is changed by each backward: a number that nobody reads."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.backwards = 0
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        ctx.backwards += 1
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy


@right(toys.sine)
class ComputedWhenAsked(torch.autograd.Function):
    """The cosine is computed by the first backward and kept on ctx for the next, with its graph if there is one."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.cosine = {}
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        again = torch.is_grad_enabled()
        if again not in ctx.cosine:
            ctx.cosine[again] = torch.cos(x)
        return ctx.cosine[again] * dy


@right(toys.mean_square)
class RandomOrder(torch.autograd.Function):
    """The elements are summed in an order that is drawn anew each time, from a generator of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        order = torch.randperm(x.shape[-1], generator=_ORDER).to(x.device)
        return twins.MeanSquareFunction.forward(x[..., order])

    @staticmethod
    def backward(ctx, dy):
        return twins.MeanSquareFunction.backward(ctx, dy)


_SCRATCH: dict[Any, Any] = {}


@right(toys.sine)
class ScratchKept(torch.autograd.Function):
    """The forward computes in memory that is kept for the next call, and returns a copy."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        key = x.shape, x.dtype, x.device
        if key not in _SCRATCH:
            _SCRATCH[key] = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        return torch.sin(x, out=_SCRATCH[key]).clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.cos(*ctx.saved_tensors)


planted_edits(
    __name__,
    """
    factor_remembered: power
        The factor in front is looked up among those of earlier calls, by the exponent.
        - return ctx.exponent * x ** (ctx.exponent - 1) * dy, None
        + return _factor(ctx.exponent) * x ** (ctx.exponent - 1) * dy, None
    """,
)
