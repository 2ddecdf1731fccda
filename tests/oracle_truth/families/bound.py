"""Witnesses of the family bound: formulas written anew in mpmath."""

import mpmath
import numpy as np
from witness import Witness

POINTS = [
    ([-3.7, 0.31, 0.31, 720.0, -720.0], [0.4, -0.9, 0.31, 1.5, 1e-300]),
    ([[2.9, -21.0], [1e-30, 0.0]], [[3.0, -1.3], [1e-30, -0.0]]),
    (0.77, -4.1),
    (0.77, 4.1),
]


def each(function, *arrays):
    """Apply a function of numbers to each element; it returns one number or two."""
    found = [function(*at) for at in zip(*map(np.ravel, arrays), strict=True)]
    parts = zip(*found, strict=True) if isinstance(found[0], tuple) else [found]
    shaped = tuple(np.reshape(np.array([mpmath.mpf(v) for v in p], dtype=object), np.shape(arrays[0])) for p in parts)
    return shaped if len(shaped) > 1 else shaped[0]


def upper(x, bound, *, gradient):
    return each(lambda a, b: (a + b - abs(a - b)) / 2, x, bound)


def lower(x, bound, *, gradient):
    return each(lambda a, b: (a + b + abs(a - b)) / 2, x, bound)


def upper_vjp(dy, x, bound, *, gradient):
    def one(v, a, b):
        passes = a <= b or gradient == "identity" or (gradient == "identity_if_towards" and v > 0)
        return (v, 0) if passes else (0, v)

    return each(one, dy, x, bound)


def lower_vjp(dy, x, bound, *, gradient):
    dx, dbound = upper_vjp(-dy, -x, -bound, gradient=gradient)  # max(x, bound) = -min(-x, -bound)
    return -dx, -dbound


WITNESS = {
    "lower_bound": Witness(lower, vjp=lower_vjp, points=POINTS),
    "upper_bound": Witness(upper, vjp=upper_vjp, points=POINTS),
}
