"""Rows of an array by their numbers; a row that is taken twice gets both gradients.

    y  = x[indices]                                  of shape indices.shape + x.shape[1:]
    dx = sum over i with indices_i = j of dy_i       in row j; 0 in a row that nobody takes

y is linear in x, with a matrix of zeros and ones that has one 1 per row; dx is its transpose times dy, so the
cotangents of one row add up. Those of 16 bits are added in float32: a sum of many would stop growing.

The rows are numbered from 0. A negative number does not count from the end, and one beyond the last row is refused.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(
    domain={"indices": "n"},
    shapes={"x": ("n", "m"), "indices": (...,)},
    complex=True,
    refuses=({"indices": [4, 0]}, {"indices": [0, -1]}, {"indices": [0.0, 1.0]}, {"x": 1.0}),
)
def gather_rows(x: Any, indices: Any) -> Any:
    """x[indices]."""
    if x.ndim == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if indices.dtype not in (np.int32, np.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype}")
    outside = indices[(indices < 0) | (indices >= len(x))]
    if outside.size:
        raise ValueError(f"indices={outside[0]}: wanted 0 <= indices < {len(x)}, the rows of x")
    return x[indices]


@gather_rows.defvjp
def gather_rows_vjp(dy: Any, y: Any, x: Any, indices: Any) -> Any:
    """Add each row of dy to the row of x that it was taken from."""
    dx = np.zeros(x.shape, dy.dtype)
    np.add.at(dx, indices, dy)
    return dx
