"""Euclidean norm along an axis, without overflow or underflow, and with gradient 0 where it is 0.

    y  = m sqrt(sum of (x / m)^2)        m = max |x|, or 1 where that is 0 or infinite
    dx = dy x / y                        0 where y = 0

Derivation: d(y^2) = 2 y dy = sum of 2 x dx. Scaled by the largest element, the sum lies between 1 and n, so it neither
overflows nor underflows whatever x is; m itself is no part of the derivative, for y does not depend on it. At 0 the
norm has a kink and any vector of length up to 1 is a subgradient; 0 is taken, the one that has no direction.

Source: Blue, "A Portable Fortran Program to Find the Euclidean Norm of a Vector" (1978) for the scaling.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(shapes={"x": (..., "n")}, statics={"axis": (-1, 0)}, refuses=({"x": [1, 2]}, {"axis": 5}, {"axis": -6}))
def safe_norm(x: Any, *, axis: int) -> Any:
    """sqrt of the sum of x^2 along the axis."""
    refuse_integers("x", x)
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis={axis}: wanted {-x.ndim} <= axis < {x.ndim}, an axis of x")
    m = np.max(np.abs(x), axis, keepdims=True, initial=0)
    m = np.where((m > 0) & (m < np.inf), m, np.ones_like(m))
    return np.squeeze(m, axis) * np.sqrt(np.sum((x / m) ** 2, axis))


@safe_norm.defvjp
def safe_norm_vjp(dy: Any, y: Any, x: Any, *, axis: int) -> Any:
    """x / y, 0 where y = 0."""
    y = np.expand_dims(np.where(y == 0, np.full_like(y, np.inf), y), axis)
    return np.expand_dims(dy, axis) * (x / y)
