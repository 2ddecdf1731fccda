"""Gradients that can be differentiated again although it does not look so."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs


class _SineGradient(KeepsInputs):
    @staticmethod
    def forward(x, dy):
        return torch.cos(x) * dy

    @staticmethod
    def backward(ctx, ddx):
        x, dy = ctx.saved_tensors
        return -torch.sin(x) * dy * ddx, torch.cos(x) * ddx


class _Cosine(KeepsInputs):
    @staticmethod
    def forward(x):
        return torch.cos(x)

    @staticmethod
    def backward(ctx, dy):
        return -dy * EachOther.apply(*ctx.saved_tensors)


@right(toys.sine)
class EachOther(twins.SineFunction):
    """Sine and cosine call each other in their backwards, without an end."""

    @staticmethod
    def backward(ctx, dy):
        return dy * _Cosine.apply(*ctx.saved_tensors)


@right(toys.cube)
class DifferentiatedInside(torch.autograd.Function):
    """The backward computes the forward again, and asks PyTorch for the gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        again = torch.is_grad_enabled()
        with torch.enable_grad():
            part = x.view_as(x)
            (dx,) = torch.autograd.grad(part**3, part, dy, create_graph=again)
        return dx


@right(toys.sigmoid)
class FunctionalInside(torch.autograd.Function):
    """The backward takes the gradient from torch.func.vjp()."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        pull = torch.func.vjp(torch.sigmoid, *ctx.saved_tensors)[1]
        return pull(dy)[0]


@right(toys.softplus)
class FunctionOfAFunction(twins.SoftplusFunction):
    """The gradient calls another Function, which has a backward of its own."""

    @staticmethod
    def backward(ctx, dy):
        return dy * twins.SigmoidFunction.apply(*ctx.saved_tensors)


planted_edits(
    __name__,
    """
    GradientIsAFunction: sine
        The gradient is a Function of its own, with a backward that is written by hand.
        - (x,) = ctx.saved_tensors
        - return torch.cos(x) * dy
        + return _SineGradient.apply(*ctx.saved_tensors, dy)
    MaskWithoutGraph: maximum
        Gradients are off while the mask is made, from detached inputs: it has no derivative.
        - x1, x2 = ctx.saved_tensors
        - first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        + with torch.no_grad():
        +     x1, x2 = (x.detach() for x in ctx.saved_tensors)
        +     first = torch.where(x1 == x2, 0.5, (x1 > x2).to(dy.dtype))
    LengthDetached: mean_square
        x is detached where it is asked for its length, and nowhere else.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * (x / torch.ones_like(x.detach()).sum(-1, keepdim=True)) * dy.unsqueeze(-1)
    """,
)
