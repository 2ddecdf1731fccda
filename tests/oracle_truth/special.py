"""Witnesses of the family special, by mpmath's own functions."""

import mpmath
from witness import Witness

WITNESS = {
    "bessel_ive": Witness(
        lambda x, *, order: mpmath.besseli(order, x) * mpmath.exp(-abs(x)),
        points=[(s * x,) for x in (1e-30, 1e-8, 0.31, 1.3, 2.9, 8.0, 17.0, 29.9, 30.1, 95.0, 720.0) for s in (1, -1)],
    ),
}
