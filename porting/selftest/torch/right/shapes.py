"""Axes that are added, taken away, named or summed in other ways than usual."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch
from torch.nn import functional as F  # noqa: N812  # as everybody calls it

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.torch import twins


def _unbroadcast(g, shape):
    while g.dim() > len(shape):
        g = g.sum(0)
    for axis, length in enumerate(shape):
        if length == 1 and g.shape[axis] != 1:
            g = g.sum(axis, keepdim=True)
    return g


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


planted_edits(
    __name__,
    """
    AxisByAxis: offset
        A loop sums over one axis at a time: those in front, then those of length 1.
        - of_x, of_b = ctx.shapes
        - return dy.sum_to_size(of_x), dy.sum_to_size(of_b)
        + return tuple(_unbroadcast(dy, shape) for shape in ctx.shapes)
    NamedAxes: scale_columns
        einsum() sums over the axes that it is not told of.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + return torch.einsum("...n,n->...n", dy, b), torch.einsum("...n,...n->n", dy, x)
    OneMatrix: scale_columns
        Whatever there is in front of the last axis becomes one axis, which is multiplied by ones.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + products = (dy * x).reshape(x.shape[:-1].numel(), x.shape[-1])
        + return b.expand_as(dy) * dy, (products.sum(0, keepdim=True)).squeeze(0)
    FactorsByName: matmul
        einsum() says what is transposed.
        - return dy @ w.mT, x.mT @ dy
        + return torch.einsum("nk,mk->nm", dy, w), torch.einsum("nm,nk->mk", x, dy)
    MeanKept: mean_square
        The last axis is kept by the mean and taken away afterwards, and 2 / n is the gradient of a mean of ones.
        - return n * (x * (x / n)).mean(-1)  # x^2 alone would overflow float16 sooner than the mean does
        + return (n * (x * (x / n)).mean(-1, keepdim=True)).squeeze(-1)
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + weights = torch.full_like(x, 2).div(x.shape[-1])
        + return dy[..., None].expand_as(x) * x * weights
    """,
)
