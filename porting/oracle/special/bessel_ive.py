"""Modified Bessel function of the first kind and of order 0, 1 or 2, times e^-|x|.

    y  = I_n(x) e^-|x|
    dx = dy ((I_n-1(x) + I_n+1(x)) / 2 - sign(x) I_n(x)) e^-|x|,  with I_-1 = I_1

Derivation: 2 I_n' = I_n-1 + I_n+1. For order 0 there is a kink at 0, where the gradient is 0, in the middle of +1
and -1; order 1 and 2 have the gradients 1/2 and 0 there, and order 1 a kink of the second derivative.

The terms of the gradient cancel by a factor of 2 |x| where x is large. The oracle takes it from elsewhere: up to 30
from Poisson's integral, of positive numbers,

    y  = x^n / (pi (2 n - 1)!!) * integral from 0 to pi of e^(-2 x sin(t/2)^2) sin(t)^(2 n) dt,  x > 0,

by the trapezoidal rule, which for periodic functions is exact to rounding with few points; above from Hankel's series
in 1/x, term by term. Source: NIST Digital Library of Mathematical Functions, 10.29.1, 10.32.2, 10.40.1.
"""

from math import pi
from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op

_TURN = 30.0
_POINTS = 48
_TERMS = 22


@op(statics={"order": (0, 1, 2)}, kinks={"x": (0.0,)}, refuses=({"x": [1, 2]}, {"order": 3}, {"order": -1}))
def bessel_ive(x: Any, *, order: int) -> Any:
    """I_n(x) e^-|x|."""
    refuse_integers("x", x)
    if order not in (0, 1, 2):
        raise ValueError(f"order={order!r}: wanted 0, 1 or 2")
    return _value_and_slope(x, order)[0]


@bessel_ive.defvjp
def bessel_ive_vjp(dy: Any, y: Any, x: Any, *, order: int) -> Any:
    """The slope, by integral and series."""
    return dy * _value_and_slope(x, order)[1]


def _value_and_slope(x: Any, order: int) -> tuple[Any, Any]:
    """Return the function and its derivative, of which one is even and one odd."""
    size, sign = np.abs(x), np.sign(x)
    near, far = _by_integral(np.minimum(size, _TURN), order), _by_series(np.maximum(size, _TURN), order)
    value, slope = (np.where(size > _TURN, f, n) for f, n in zip(far, near, strict=True))
    return (value * sign, slope) if order == 1 else (value, slope * sign)


def _by_integral(x: Any, order: int) -> tuple[Any, Any]:
    t = np.linspace(0, np.pi, _POINTS + 1, dtype=x.dtype)
    rate = 2 * np.sin(t / 2) ** 2
    weight = np.sin(t) ** (2 * order) / (_POINTS * (1, 1, 3)[order])
    weight[[0, -1]] /= 2
    parts = np.exp(-x[..., None] * rate)
    integral, change = parts @ weight, -parts @ (weight * rate)
    power = order * x ** (order - 1) if order else 0 * x
    return x**order * integral, power * integral + x**order * change


def _by_series(x: Any, order: int) -> tuple[Any, Any]:
    term, value, slope = 1 + 0 * x, 0 * x, 0 * x
    for k in range(_TERMS):
        value, slope = value + term, slope - (k + 0.5) * term
        term = term * ((2 * k + 1) ** 2 - 4 * order**2) / (8 * (k + 1)) / x
    scale = (2 * pi) ** -0.5 / np.sqrt(x)
    return scale * value, scale * slope / x
