"""Mean of the rows that share an index; 0 for an index that no row has."""

import torch
from torch import Tensor


class ScatterMeanFunction(torch.autograd.Function):
    """``ScatterMeanFunction.apply(x, indices, size)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, indices: Tensor, size: int) -> Tensor:
        rows = x.float() if x.dtype.itemsize == 2 else x
        shares = rows / _counts(rows, indices, size).index_select(0, indices)  # the sum alone might overflow
        return rows.new_zeros(size, *x.shape[1:]).index_add(0, indices, shares).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, indices, ctx.size = inputs
        ctx.save_for_backward(indices)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: indices are integers, size is static
        (indices,) = ctx.saved_tensors
        wide = dy.float() if dy.dtype.itemsize == 2 else dy
        shares = (wide / _counts(wide, indices, ctx.size)).to(dy.dtype)
        return shares.index_select(0, indices), None, None


def _counts(rows: Tensor, indices: Tensor, size: int) -> Tensor:
    """Return the number of rows in each segment, at least 1, with an axis for each axis of the rows."""
    counts = indices.new_zeros(size).index_add(0, indices, torch.ones_like(indices)).clamp(min=1)
    return counts.reshape(-1, *[1] * (rows.dim() - 1))


def scatter_mean(x: Tensor, indices: Tensor, *, size: int) -> Tensor:
    """Mean over the rows of x with each index from 0 to size - 1; indices has one number for each row."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if size < 0:
        raise ValueError(f"size={size}: wanted size >= 0")
    if indices.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {str(indices.dtype).removeprefix('torch.')}")
    if indices.dim() != 1 or indices.shape != x.shape[:1]:
        raise ValueError(f"indices of shape {list(indices.shape)}: wanted {list(x.shape[:1])}, one for each row of x")
    if not torch.compiler.is_compiling():  # a compiled function does not see the numbers
        given = torch.func.debug_unwrap(indices)
        outside = (given < 0) | (given >= size)
        if outside.any():
            raise ValueError(f"indices={given[outside][0]}: wanted 0 <= indices < {size}, the size")
    return ScatterMeanFunction.apply(x, indices, size)
