"""Rows of a table by their numbers, where one row, the padding, is never trained."""

import torch
from torch import Tensor


class EmbeddingPaddingFunction(torch.autograd.Function):
    """``EmbeddingPaddingFunction.apply(table, indices, padding)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(table: Tensor, indices: Tensor, padding: int) -> Tensor:
        return torch.nn.functional.embedding(indices, table)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        table, indices, ctx.padding = inputs
        ctx.rows = table.shape[0]
        ctx.save_for_backward(indices)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: indices are integers, padding is static
        (indices,) = ctx.saved_tensors
        rows = dy.float() if dy.dtype.itemsize == 2 else dy
        dtable = torch.ops.aten.embedding_dense_backward(rows, indices, ctx.rows, ctx.padding, False)
        return dtable.to(dy.dtype), None, None


def embedding_padding(table: Tensor, indices: Tensor, *, padding: int) -> Tensor:
    """table[indices] for indices of any shape; the gradient of the row `padding` is 0."""
    if table.dim() != 2:
        raise ValueError(f"table of shape {list(table.shape)}: wanted two axes")
    rows = table.shape[0]
    if not 0 <= padding < rows:
        raise ValueError(f"padding={padding}: wanted 0 <= padding < {rows}, the rows of the table")
    if indices.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {str(indices.dtype).removeprefix('torch.')}")
    if not torch.compiler.is_compiling():  # a compiled function does not see the numbers
        given = torch.func.debug_unwrap(indices)
        outside = (given < 0) | (given >= rows)
        if outside.any():
            raise ValueError(f"indices={given[outside][0]}: wanted 0 <= indices < {rows}, the rows of the table")
    return EmbeddingPaddingFunction.apply(table, indices, padding)
