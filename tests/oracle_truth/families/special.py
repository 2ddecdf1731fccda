"""Witnesses of the family special, by mpmath's own functions."""

import mpmath
from witness import Witness


def sample_vjp(dy, alpha, sample):
    """Minus the derivative of the distribution function by alpha, by differences, over the density."""
    h = mpmath.mpf(10) ** -20 * alpha

    def distribution(a):
        return (
            mpmath.gammainc(a, 0, sample, regularized=True)
            if sample < a
            else -mpmath.gammainc(a, sample, regularized=True)
        )

    if not sample:
        return mpmath.mpf(0)
    density = mpmath.exp((alpha - 1) * mpmath.log(sample) - sample - mpmath.loggamma(alpha))
    low, high = (distribution(alpha + s * h) for s in (-1, 1))
    return (low - high) / (2 * h) / density


WITNESS = {
    "bessel_ive": Witness(
        lambda x, *, order: mpmath.besseli(order, x) * mpmath.exp(-abs(x)),
        points=[(s * x,) for x in (1e-30, 1e-8, 0.31, 1.3, 2.9, 8.0, 17.0, 29.9, 30.1, 95.0, 720.0) for s in (1, -1)],
    ),
    "gamma_sample_gradient": Witness(
        lambda alpha, sample: sample,
        vjp=sample_vjp,
        points=[
            *((1e-3, z) for z in (1e-300, 1e-30, 0.5, 1.05, 3.0)),
            *((0.3, z) for z in (0.0, 0.1, 1.29, 1.31, 20.0)),
            *((1.0, z) for z in (1e-8, 1.5, 2.5, 95.0)),
            *((2.5, z) for z in (0.7, 3.45, 3.55, 40.0)),
            *((17.0, z) for z in (3.0, 17.5, 18.5, 90.0)),
            *((95.0, z) for z in (80.0, 97.0, 720.0)),
        ],
    ),
}
