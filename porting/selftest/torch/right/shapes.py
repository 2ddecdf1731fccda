"""Axes that are added, taken away, named or summed in other ways than usual."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch
from torch.nn import functional as F  # noqa: N812  # as everybody calls it

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


def _unbroadcast(g, shape):
    while g.dim() > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and g.shape[axis] != 1:
            g = g.sum(axis, keepdim=True)
    return g


@right(toys.offset)
class AxisByAxis(twins.OffsetFunction):
    """A loop sums over one axis at a time: those in front, then those of length 1."""

    @staticmethod
    def backward(ctx, dy):
        return tuple(_unbroadcast(dy, shape) for shape in ctx.shapes)


@right(toys.scale_columns)
class NamedAxes(twins.ScaleColumnsFunction):
    """einsum() sums over the axes that it is not told of."""

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        return torch.einsum("...n,n->...n", dy, b), torch.einsum("...n,...n->n", dy, x)


@right(toys.scale_columns)
class OneMatrix(twins.ScaleColumnsFunction):
    """Whatever there is in front of the last axis becomes one axis, which is multiplied by ones."""

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        products = (dy * x).reshape(x.shape[:-1].numel(), x.shape[-1])
        return b.expand_as(dy) * dy, (products.sum(0, keepdim=True)).squeeze(0)


@right(toys.matmul)
class WeightsAsInLinear(twins.MatmulFunction):
    """linear() transposes its second factor: in the gradient of x nothing is transposed by hand."""

    @staticmethod
    def forward(x, w):
        return F.linear(x, w.mT)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return F.linear(dy, w), F.linear(dy.mT, x.mT).mT


@right(toys.matmul)
class FactorsByName(twins.MatmulFunction):
    """einsum() says what is transposed."""

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return torch.einsum("nk,mk->nm", dy, w), torch.einsum("nm,nk->mk", x, dy)


@right(toys.mean_square)
class MeanKept(twins.MeanSquareFunction):
    """The last axis is kept by the mean and taken away afterwards, and 2 / n is the gradient of a mean of ones."""

    @staticmethod
    def forward(x):
        n = x.shape[-1]
        return (n * (x * (x / n)).mean(-1, keepdim=True)).squeeze(-1)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        weights = torch.full_like(x, 2).div(x.shape[-1])
        return dy[..., None].expand_as(x) * x * weights


@right(toys.cube)
class AtLeastOneAxis(torch.autograd.Function):
    """A single number becomes a vector, of which the first axis is asked for, and is a number again at the end."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        x, g = (torch.atleast_1d(a) for a in (*ctx.saved_tensors, dy))
        three = x.new_full((x.shape[0],) + (1,) * (x.dim() - 1), 3.0)
        return (three * x**2 * g).view(dy.shape)


@right(toys.softmax)
class StackedRows(torch.autograd.Function):
    """The rows are taken apart and stacked again, if there are any."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, x.dim() - 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        if not y.numel():
            return torch.zeros_like(dy)
        pairs = zip(y.flatten(0, -2) if y.dim() > 1 else y[None], dy.reshape(-1, dy.shape[-1]), strict=True)
        return torch.stack([a * g - a * (a @ g) for a, g in pairs]).reshape(dy.shape)
