"""Witnesses of the family sparse: the threshold by bisection in mpmath, and nothing sorted."""

import mpmath
import numpy as np
from witness import Witness


def rows(function, axis, x, *more):
    """Apply a function of lists of numbers along an axis."""
    y = np.empty(x.shape, dtype=object)
    arrays = [np.moveaxis(a, axis, -1) for a in (x, *more)]
    moved = np.moveaxis(y, axis, -1)
    for place in np.ndindex(arrays[0].shape[:-1]):
        moved[place] = function(*(list(a[place]) for a in arrays))
    return y


def bisected(excess, low, high):
    """Return where a falling function is 0."""
    for _ in range(int(mpmath.mp.prec) + 20):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def sparsemax_row(x):
    tau = bisected(lambda t: mpmath.fsum(max(v - t, 0) for v in x) - 1, max(x) - 1, max(x))
    return [max(v - tau, mpmath.mpf(0)) for v in x]


def entmax15_row(x):
    tau = bisected(lambda t: mpmath.fsum(max(v / 2 - t, 0) ** 2 for v in x) - 1, max(x) / 2 - 1, max(x) / 2)
    return [max(v / 2 - tau, mpmath.mpf(0)) ** 2 for v in x]


def masked_softmax_row(x, mask):
    total = mpmath.fsum(mpmath.exp(v) for v, m in zip(x, mask, strict=True) if m)
    return [mpmath.exp(v) / total if m else mpmath.mpf(0) for v, m in zip(x, mask, strict=True)]


POINTS = [
    ([1.0, 0.2, -1.0, 0.7],),
    ([[0.3, 0.3, 0.3], [5.0, -2.0, 4.75], [720.0, -720.0, 719.75]],),
    ([[-20.0, -20.5, 3.0, 2.9], [1e-30, -1e-30, 0.0, 0.1], [1e300, 1.0, -1e300, 7.0]],),
]
WITNESS = {
    "sparsemax": Witness(lambda x, *, axis: rows(sparsemax_row, axis, x), points=POINTS[:2]),
    "entmax15": Witness(lambda x, *, axis: rows(entmax15_row, axis, x), points=POINTS[:2]),
    "masked_softmax": Witness(
        lambda x, mask, *, axis: rows(masked_softmax_row, axis, x, mask),
        points=[
            ([1.0, 0.2, -1.0], [1, 0, 1]),
            ([[0.3, 0.3, 0.3], [5.0, -2.0, 4.75], [720.0, -720.0, 0.5]], [[1, 1, 1], [0, 0, 0], [1, 1, 0]]),
            ([[20.0, -20.0, 3.0], [720.0, 719.0, -3.0]], [[True, True, False], [False, True, True]]),
        ],
    ),
}
