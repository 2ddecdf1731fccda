"""Rows of a table by their numbers, where one row, the padding, is never trained.

    y      = table[indices]                               of shape indices.shape + table.shape[1:]
    dtable = sum over i with indices_i = j of dy_i        in row j != padding; 0 in row `padding`

The gradient is the derivative of the look-up in a table whose padding row is a constant. The value is that row as it
stands: it need not be 0. What comes in at padded places is left out, not multiplied by 0, so a NaN there stays there.

`padding` is one of the rows, from 0; a negative number does not count from the end. Indices as in `gather_rows`.

Source: torch.nn.functional.embedding with `padding_idx`.
"""

from typing import Any

import numpy as np

from porting.spec import op


def constant_padding(table: Any, indices: Any, *, padding: int) -> Any:
    """Look up with the constant 0 as the padding row."""
    return np.where(np.arange(len(table))[:, None] == padding, 0, table)[indices]


@op(
    gradient_of=constant_padding,
    domain={"indices": "n"},
    shapes={"table": ("n", "m"), "indices": (...,)},
    statics={"padding": (0, 2)},
    refuses=(
        {"padding": 4},
        {"padding": -1},
        {"indices": [4, 0]},
        {"indices": [0, -1]},
        {"indices": [0.0, 1.0]},
        {"table": [0.0, 1.0]},
    ),
)
def embedding_padding(table: Any, indices: Any, *, padding: int) -> Any:
    """table[indices]."""
    if table.ndim != 2:
        raise ValueError(f"table of shape {list(table.shape)}: wanted two axes")
    rows = len(table)
    if not 0 <= padding < rows:
        raise ValueError(f"padding={padding}: wanted 0 <= padding < {rows}, the rows of the table")
    if indices.dtype not in (np.int32, np.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype}")
    outside = indices[(indices < 0) | (indices >= rows)]
    if outside.size:
        raise ValueError(f"indices={outside[0]}: wanted 0 <= indices < {rows}, the rows of the table")
    return table[indices]


@embedding_padding.defvjp
def embedding_padding_vjp(dy: Any, y: Any, table: Any, indices: Any, *, padding: int) -> Any:
    """Add each row of dy to the row of the table that it was taken from, unless that is the padding."""
    dtable = np.zeros(table.shape, dy.dtype)
    np.add.at(dtable, indices, dy)
    dtable[padding] = 0
    return dtable
