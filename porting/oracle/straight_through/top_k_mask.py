"""The k largest in magnitude along an axis, the others 0; the gradient is dense.

    y  = x where |x| is among the k largest, else 0
    dx = dy

The mask is constant between its jumps, so the derivative would be the mask: what is 0 once gets no gradient and stays
so. The straight-through gradient reaches all elements, and those that were masked may come back.

Exactly k elements stay: among equal magnitudes those with the lowest index. NaN counts as infinity, so that it is seen.

Source: magnitude pruning with a straight-through estimator, as in Wortsman, Farhadi & Rastegari 2019, "Discovering
Neural Wirings".
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import identity, op


@op(
    gradient_of=identity,
    shapes={"x": (..., "n")},
    statics={"k": (1, 3), "axis": (-1, 0)},
    refuses=({"x": [1, 2]}, {"k": 0}, {"k": 5}, {"axis": 2}, {"axis": -3}, {"x": 1.0}),
)
def top_k_mask(x: Any, *, k: int, axis: int = -1) -> Any:
    """x among the k largest in magnitude, else 0."""
    refuse_integers("x", x)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis={axis}: wanted {-x.ndim} <= axis < {x.ndim}, an axis of x")
    if not 1 <= k <= x.shape[axis]:
        raise ValueError(f"k={k}: wanted 1 <= k <= {x.shape[axis]}, the length of axis {axis}")
    size = np.where(np.isnan(x), np.inf, np.abs(x))
    rank = np.argsort(np.argsort(-size, axis=axis, kind="stable"), axis=axis)  # 0 for the largest
    return np.where(rank < k, x, 0)


@top_k_mask.defvjp
def top_k_mask_vjp(dy: Any, y: Any, x: Any, *, k: int, axis: int = -1) -> Any:
    """dy, masked elements too."""
    return dy
