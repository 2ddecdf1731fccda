"""Gradients of rows that are taken by number, added up in other ways."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right


@right(toys.take_rows)
class AssignedWithSum(torch.autograd.Function):
    """The gradients are assigned by index, and added where one index comes twice."""

    @staticmethod
    def forward(ctx, x, i):
        ctx.rows = x.shape[0]
        ctx.save_for_backward(i)
        return x.index_select(0, i)

    @staticmethod
    def backward(ctx, dy):
        (i,) = ctx.saved_tensors
        return dy.new_zeros(ctx.rows, *dy.shape[1:]).index_put_((i,), dy, accumulate=True), None


@right(toys.take_rows)
class SparseGradient(torch.autograd.Function):
    """The gradient is a sparse tensor, as that of an embedding can be: the rows that were taken, with their numbers."""

    @staticmethod
    def forward(ctx, x, i):
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        return x[i]

    @staticmethod
    def backward(ctx, dy):
        (i,) = ctx.saved_tensors
        return torch.sparse_coo_tensor(i[None], dy, ctx.shape), None


planted_edits(
    __name__,
    """
    ScatteredRows: take_rows
        scatter_add() with the number of the row repeated along it.
        - return dy.new_zeros(x.shape).index_add(0, i, dy), None
        + return torch.zeros_like(x).scatter_add(0, i[:, None].expand_as(dy), dy), None
    ZerosForTheIndex: take_rows
        The index gets a gradient of zeros, not None; PyTorch drops it.
        - return dy.new_zeros(x.shape).index_add(0, i, dy), None
        + return torch.zeros_like(x).index_add(0, i, dy), torch.zeros_like(i)
    """,
)
