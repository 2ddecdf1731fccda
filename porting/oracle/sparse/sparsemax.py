"""Sparsemax: the Euclidean projection onto the probability simplex.

    y  = max(x - tau, 0)   with tau such that y sums to 1
    dx = [y > 0] (dy - m),   m = the mean of dy where y > 0

Derivation: on the support, k elements wide, tau = (sum of x over it - 1) / k, so that each x there moves tau by 1/k.
How tau is found stands in `porting.oracle.simplex`.

Where an element meets tau there is a kink; it counts as outside the support. A NaN makes its whole row NaN. Source:
A. F. T. Martins and R. F. Astudillo, "From softmax to sparsemax", ICML 2016, equations 2 to 4 and 13.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_axis, refuse_integers
from porting.oracle.simplex import sparsemax_threshold
from porting.spec import op


def thresholds(x: Any, *, axis: int = -1) -> tuple[Any, ...]:
    """The threshold of each row: an element has its kink there."""
    top = np.max(x, axis, keepdims=True)
    return (top + sparsemax_threshold(x - top, axis),)


@op(
    shapes={"x": (..., "n")},
    kinks={"x": thresholds},
    statics={"axis": (0,)},
    refuses=({"x": [1, 2]}, {"axis": 2}, {"axis": -3}, {"x": 1.0}, {"x": np.ones((2, 0))}),
)
def sparsemax(x: Any, *, axis: int = -1) -> Any:
    """The point of the simplex that is nearest to x."""
    refuse_integers("x", x)
    refuse_axis(x, axis)
    z = x - np.max(x, axis, keepdims=True)
    return np.maximum(z - sparsemax_threshold(z, axis), 0)


@sparsemax.defvjp
def sparsemax_vjp(dy: Any, y: Any, x: Any, *, axis: int = -1) -> Any:
    """dy less its mean over the support, on the support."""
    support = np.sign(y)
    mean = np.sum(support / np.sum(support, axis, keepdims=True) * dy, axis, keepdims=True)
    return support * (dy - mean)
