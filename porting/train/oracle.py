"""The Legendre run in NumPy: the oracle's value and vjp, and the chain rule by hand."""

import math

import numpy as np

from porting.oracle.published.legendre_polynomial3 import legendre_polynomial3 as p3
from porting.train.legendre import LEARNING_RATE, POINTS, START, STEPS, Fit, OnStep

# Measured against the printed losses: float32 is at most 9.4e-7 off (relative) and its b is the printed one to the bit;
# float64 is 4.8e-6 off. The text's own rounding is part of the table, so float32 it is.
_DTYPE = np.float32


def fit(on_step: OnStep | None = None) -> Fit:
    """Train as the text does.

    Parameters
    ----------
    on_step : callable, optional
        Called after every step with its number.
    """
    x = np.linspace(-math.pi, math.pi, POINTS, dtype=_DTYPE)
    y = np.sin(x)
    rate = _DTYPE(LEARNING_RATE)
    a, b, c, d = (_DTYPE(weight) for weight in START)
    curve: list[float] = []
    for step in range(STEPS):
        z = c + d * x
        p = p3(z)
        residual = a + b * p - y
        curve.append(float((residual**2).sum()))

        dy = 2 * residual  # of the prediction; everything below is the chain rule
        dz = p3.vjp(b * dy, z)
        da, db, dc, dd = dy.sum(), (dy * p).sum(), dz.sum(), (dz * x).sum()
        a, b, c, d = a - rate * da, b - rate * db, c - rate * dc, d - rate * dd
        if on_step is not None:
            on_step(step)
    return Fit("oracle", tuple(curve), float(a), float(b), float(c), float(d))
