"""Loops, blocks and sums in parts that leave nothing out, and other ways to a softmax."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right


@right(toys.sigmoid)
class BlocksAndTail(torch.autograd.Function):
    """The gradient is computed in blocks of 8; the last one is what is left over, or empty."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sigmoid(x)

    @staticmethod
    def backward(ctx, dy):
        x, g = (a.reshape(-1) for a in (*ctx.saved_tensors, dy))
        whole = x.numel() // 8 * 8
        parts = [(x[:whole].reshape(-1, 8), g[:whole].reshape(-1, 8)), (x[whole:], g[whole:])]
        return torch.cat([(torch.sigmoid(p) * torch.sigmoid(-p) * q).reshape(-1) for p, q in parts]).reshape(dy.shape)


@right(toys.softmax)
class RowByRow(torch.autograd.Function):
    """A loop over the rows fills a buffer; without rows there is nothing to fill."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        rows = dy.shape[:-1].numel(), dy.shape[-1]
        y, g = (a.reshape(rows) for a in (*ctx.saved_tensors, dy))
        dx = torch.zeros_like(g, memory_format=torch.contiguous_format)
        for k in range(rows[0]):
            dx[k] = y[k] * (g[k] - torch.dot(g[k], y[k]))
        return dx.reshape(dy.shape)


@right(toys.softmax)
class BackwardOfPyTorch(torch.autograd.Function):
    """The backward calls PyTorch's own, whose name begins with an underscore."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return torch._softmax_backward_data(dy, y, -1, y.dtype)  # noqa: SLF001


planted_edits(
    __name__,
    """
    SumInParts: scale_columns
        The gradient of b is a sum of sums: over four rows at a time, and over what is left.
        - class ScaleColumnsFunction(KeepsInputs):
        + class ScaleColumnsFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + products = (dy * x).reshape(-1, *b.shape)
        + total = torch.zeros_like(b)
        + for part in products.split(4):
        +     total = total + part.sum(0)
        + return dy * b, total
    ThroughLogarithms: softmax
        The forward is the exponential of log_softmax().
        - return torch.softmax(x, -1)
        + return torch.log_softmax(x, -1).exp()
    LogarithmOfTheSum: softmax
        No maximum is subtracted, but the logarithm of the sum, which is as large.
        - return torch.softmax(x, -1)
        + return torch.exp(x - torch.logsumexp(x, -1, keepdim=True))
    """,
)
