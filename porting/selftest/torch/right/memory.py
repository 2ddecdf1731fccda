"""Saved elsewhere, computed again, kept weakly, or returned in a form that takes less memory."""

# mypy: allow-untyped-defs, allow-untyped-calls

import weakref

import torch
from torch.utils.checkpoint import checkpoint

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sine)
def saved_on_the_host(x):
    """What is saved goes to the host's memory and comes back from there."""
    with torch.autograd.graph.save_on_cpu():
        return twins.sine(x)


@right(toys.sigmoid)
def checkpointed(x):
    """Nothing is saved: the forward runs again before the backward."""
    return checkpoint(twins.sigmoid, x, use_reentrant=False)


@right(toys.sigmoid)
class OutputKeptWeakly(torch.autograd.Function):
    """ctx has a weak reference to the output, which is no cycle, and computes it again where it is gone."""

    @staticmethod
    def forward(ctx, x):
        y = torch.sigmoid(x)
        ctx.save_for_backward(x)
        ctx.y = weakref.ref(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        y = ctx.y()
        if y is None:
            y = torch.sigmoid(*ctx.saved_tensors)
        return y * (1 - y) * dy


@right(toys.sin_cos)
class PartsOfOneTensor(torch.autograd.Function):
    """Both outputs are views of one tensor that the forward has made."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        both = torch.stack([torch.sin(x), torch.cos(x)])
        return both[0], both[1]

    @staticmethod
    def backward(ctx, dy0, dy1):
        return twins.SinCosFunction.backward(ctx, dy0, dy1)


@right(toys.relu)
class MaskInBytes(torch.autograd.Function):
    """What is saved is one byte for each element: 1 above 0, 2 for NaN."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward((x > 0).byte() + 2 * x.isnan().byte())
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dy):
        (code,) = ctx.saved_tensors
        return (dy * (code == 1)).masked_fill(code == 2, torch.nan)


planted_edits(
    __name__,
    """
    ValueTransposed: scale_columns
        The output is stored in another order than the input.
        - return x * b
        + return (x.movedim(-1, 0).contiguous() * b.reshape(-1, *[1] * (x.dim() - 1))).movedim(0, -1)
    """,
)
