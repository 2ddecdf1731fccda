"""Rows of an array by their numbers; a row that is taken twice gets both gradients."""

import torch
from torch import Tensor


class GatherRowsFunction(torch.autograd.Function):
    """``GatherRowsFunction.apply(x, indices)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, indices: Tensor) -> Tensor:
        return x.index_select(0, indices.reshape(-1)).reshape(indices.shape + x.shape[1:])

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, indices = inputs
        ctx.shape = x.shape
        ctx.save_for_backward(indices)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: indices are integers
        (indices,) = ctx.saved_tensors
        rows = (dy.float() if dy.dtype.itemsize == 2 else dy).reshape(-1, *ctx.shape[1:])
        return rows.new_zeros(ctx.shape).index_add(0, indices.reshape(-1), rows).to(dy.dtype), None


def gather_rows(x: Tensor, indices: Tensor) -> Tensor:
    """x[indices] for indices of any shape, from 0 to the number of rows."""
    if x.dim() == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if indices.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {str(indices.dtype).removeprefix('torch.')}")
    if not torch.compiler.is_compiling():  # a compiled function does not see the numbers
        given = torch.func.debug_unwrap(indices)
        outside = (given < 0) | (given >= x.shape[0])
        if outside.any():
            raise ValueError(f"indices={given[outside][0]}: wanted 0 <= indices < {x.shape[0]}, the rows of x")
    return GatherRowsFunction.apply(x, indices)
