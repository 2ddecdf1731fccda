"""Other ways to write a Function, or none at all."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sine)
def no_function(x):
    """There is no Function: the derivatives are PyTorch's own."""
    return torch.sin(x)


@right(toys.cube)
class OldForward(torch.autograd.Function):
    """The forward takes ctx itself; there is no setup_context, and no rule for vmap."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * x * dy


@right(toys.softplus)
class ClassMethods(torch.autograd.Function):
    """Forward and backward are class methods, with cls before ctx."""

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return twins.SoftplusFunction.forward(x)

    @classmethod
    def backward(cls, ctx, dy):
        return dy * torch.sigmoid(*ctx.saved_tensors)


@right(toys.product)
class AnyNumberOfArguments(torch.autograd.Function):
    """The arguments have no names: neither those of the forward nor the cotangents."""

    @staticmethod
    def forward(ctx, *tensors):
        ctx.save_for_backward(*tensors)
        return tensors[0] * tensors[1] * tensors[0]

    @staticmethod
    def backward(ctx, *cotangents):
        x1, x2 = ctx.saved_tensors
        part = cotangents[0] * x1
        return tuple(part * d for d in (2 * x2, x1))


@right(toys.sine)
class VjpForBackward(torch.autograd.Function):
    """The backward is called vjp, its other name."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def vjp(ctx, dy):
        return dy * torch.cos(*ctx.saved_tensors)


class _PowerByDefault(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, exponent=3):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (ctx.exponent * x ** (ctx.exponent - 1) * dy, None)[: len(ctx.needs_input_grad)]


@right(toys.power)
def argument_left_out(x, *, exponent=3):
    """The exponent is handed over if it is not the default: the number of gradients changes with it."""
    return _PowerByDefault.apply(x) if exponent == 3 else _PowerByDefault.apply(x, exponent)


@right(toys.between)
def class_made_by_the_call(x, *, low=0.0, high=1.5):
    """Each call makes a class of its own, which has the bounds from around it."""
    if not low < high:
        raise ValueError(f"low={low} and high={high}: low < high is wanted")

    class Between(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return low + (high - low) * torch.sigmoid(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return (high - low) * dy * torch.sigmoid(x) * torch.sigmoid(-x)

    return Between.apply(x)


planted_edits(
    __name__,
    """
    TrailingNones: product
        Nones are returned beyond the last input; PyTorch takes them away.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, x1 * dy * x1, None, None
    """,
)
