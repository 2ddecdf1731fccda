"""The functions that are right at the ends of the range, in many digits."""

import mpmath
import numpy as np
from witness import Witness

MATRICES = [
    ([0.3, -1.2, 2.5],),
    ([[720.0, -720.0, 719.0], [-720.0, -721.0, -719.5]],),
    ([[1e-30, 2.0], [-3.0, 1e-300]],),
]


def reduced(function):
    """Apply a function of a list of numbers along an axis."""

    def value(x, *, axis):
        return np.apply_along_axis(lambda row: np.array(function(list(row)), dtype=object), axis, x)

    return value


def tangent(function, slope):
    """Continue a function by its tangent from eps down."""
    return lambda x, *, eps: function(x) if x > eps else function(mpmath.mpf(eps)) + (x - eps) * slope(mpmath.mpf(eps))


def divide_gradient(dy, x1, x2):
    return (dy / x2, -dy * x1 / x2**2) if x2 else (mpmath.mpf(0), mpmath.mpf(0))


WITNESS = {
    "log1p_exp": Witness(lambda x: mpmath.log(1 + mpmath.exp(x))),
    "log_cosh": Witness(lambda x: mpmath.log(mpmath.cosh(x))),
    "safe_log": Witness(lambda x, *, eps: mpmath.log(max(x, eps)), gradient=tangent(mpmath.log, lambda x: 1 / x)),
    "safe_sqrt": Witness(
        lambda x, *, eps: mpmath.sqrt(max(x, 0)), gradient=tangent(mpmath.sqrt, lambda x: 1 / (2 * mpmath.sqrt(x)))
    ),
    "safe_norm": Witness(
        reduced(lambda row: mpmath.sqrt(mpmath.fsum(x * x for x in row))),
        points=[*MATRICES, ([1e200, -1e200, 3e199],), ([3e-200, 4e-200, -1e-201],)],
    ),
    "safe_divide": Witness(
        lambda x1, x2: x1 / x2 if x2 else mpmath.mpf(0),
        vjp=divide_gradient,
        points=[(-3.7, 0.4), (0.31, -0.27), (720.0, 1e-200), (1e200, 1e200), (1e-250, 1e-120), (2.5, 0.0), (0.0, 0.0)],
    ),
    "logsumexp": Witness(reduced(lambda row: mpmath.log(mpmath.fsum(map(mpmath.exp, row)))), points=MATRICES),
    "artanh": Witness(
        lambda x: mpmath.log((1 + x) / (1 - x)) / 2,
        points=[(x,) for x in (0.31, -0.83, 0.99, 1e-10, -1e-300, 1 - 2.0**-20, 2.0**-24 - 1)],
    ),
    "logaddexp": Witness(lambda x1, x2: mpmath.log(mpmath.exp(x1) + mpmath.exp(x2))),
}
