"""Mean of the rows that share an index; 0 for an index that no row has.

    n_j  = number of i with indices_i = j, at least 1
    y    = sum over i with indices_i = j of x_i / n_j      in row j, of `size` rows
    dx   = dy_j / n_j                                      in row i, with j = indices_i

y is linear in x; dx is the transpose of its matrix times dy. An empty segment would be 0 / 0: its count is taken as 1,
so its mean is 0, and no row of dx comes from it. Each row is divided before the sum, which would overflow where the
mean does not. Counts are integers (float32 cannot count beyond 2^24), and rows of 16 bits are added in float32.

The indices are from 0 to size - 1; others are refused.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(
    domain={"indices": range(4)},
    shapes={"x": ("k", "m"), "indices": ("k",)},
    statics={"size": (4, 7)},
    complex=True,
    refuses=(
        {"x": [1, 2]},
        {"size": -1},
        {"size": 4, "indices": [0, 1, 2, 4]},
        {"indices": [0, -1, 2, 3]},
        {"indices": [0.0, 1.0, 2.0, 3.0]},
        {"indices": [0, 1]},
        {"indices": 0},
    ),
)
def scatter_mean(x: Any, indices: Any, *, size: int) -> Any:
    """Mean over the rows of x with each index."""
    refuse_integers("x", x)
    if size < 0:
        raise ValueError(f"size={size}: wanted size >= 0")
    if indices.dtype not in (np.int32, np.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype}")
    if indices.ndim != 1 or indices.shape != x.shape[:1]:
        raise ValueError(f"indices of shape {list(indices.shape)}: wanted {list(x.shape[:1])}, one for each row of x")
    outside = indices[(indices < 0) | (indices >= size)]
    if outside.size:
        raise ValueError(f"indices={outside[0]}: wanted 0 <= indices < {size}, the size")
    y = np.zeros((size, *x.shape[1:]), x.dtype)
    np.add.at(y, indices, x / _counts(x, indices, size)[indices])
    return y


@scatter_mean.defvjp
def scatter_mean_vjp(dy: Any, y: Any, x: Any, indices: Any, *, size: int) -> Any:
    """Each row gets its share of the cotangent of its segment."""
    return (dy / _counts(x, indices, size))[indices]


def _counts(x: Any, indices: Any, size: int) -> Any:
    """Return the number of rows in each segment, at least 1, in the type of x and with an axis for each of its axes."""
    counts = np.maximum(np.bincount(indices, minlength=size), 1)
    return counts.reshape(-1, *[1] * (x.ndim - 1)).astype(x.dtype)
