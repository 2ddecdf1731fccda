"""Functions of which common surrogate gradients are the derivative, to be named by ``--surrogate-of``.

A gradient that is not the derivative of its own forward is mostly one of these: ``porting.surrogates:clipped`` with
``--static limit=1.5``. `at` is where the gradient is largest, `height` how large it is there, `width` its scale.
"""

from collections.abc import Callable
from math import acosh, erf, log, pi, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from porting.contract import identity as identity

Array = np.ndarray[Any, Any]


def scaled(x: Array, *, height: float) -> Array:
    """Return ``height x``, a straight-through gradient times a constant."""
    return height * x


def clipped(x: Array, *, limit: float) -> Array:
    """Return x within ``limit`` of 0; its gradient is 1 there and 0 outside (Hubara et al. 2016, hard tanh)."""
    return np.clip(x, -limit, limit)


def between(x: Array, *, low: float, high: float) -> Array:
    """Return x between two numbers; its gradient is 1 there and 0 outside."""
    return np.clip(x, low, high)


def rectangle(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height`` up to ``width`` from ``at`` (Wu et al. 2018)."""
    return np.asarray(height * width * np.clip((x - at) / width, -1, 1))


def triangle(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height max(0, 1 - |x - at| / width)`` (Bellec et al. 2018)."""
    u = np.clip((x - at) / width, -1, 1)
    return np.asarray(height * width * (u - u * np.abs(u) / 2))


def fast_sigmoid(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height / (1 + |x - at| / width)^2`` (Zenke and Ganguli 2018)."""
    u = (x - at) / width
    return np.asarray(height * width * u / (1 + np.abs(u)))


def sigmoid(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``4 height s (1 - s)``, s the sigmoid of ``(x - at) / width``."""
    return 2 * height * width * np.tanh((x - at) / width / 2)


def arctan(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height / (1 + ((x - at) / width)^2)`` (Fang et al. 2021)."""
    return height * width * np.arctan((x - at) / width)


def gaussian(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height exp(-((x - at) / width)^2)`` (Yin et al. 2021)."""
    return np.asarray(height * width * sqrt(pi) / 2 * np.vectorize(erf, otypes=[float])((x - at) / width))


def exponential(x: Array, *, at: float, width: float, height: float) -> Array:
    """Return the function whose gradient is ``height exp(-|x - at| / width)`` (Shrestha and Orchard 2018)."""
    u = (x - at) / width
    return -height * width * np.sign(u) * np.expm1(-np.abs(u))


class Bump(NamedTuple):
    """A gradient that is largest at one place: at ``u = (x - at) / width``, for a height of 1, and where it is 1/2."""

    name: str
    gradient: Callable[[Array], Array]
    half: float


BUMPS: Final = (
    Bump("triangle", lambda u: np.maximum(0, 1 - np.abs(u)), 0.5),
    Bump("fast_sigmoid", lambda u: (1 + np.abs(u)) ** -2.0, sqrt(2) - 1),
    Bump("sigmoid", lambda u: np.cosh(u / 2) ** -2.0, 2 * acosh(sqrt(2))),
    Bump("arctan", lambda u: 1 / (1 + u * u), 1.0),
    Bump("gaussian", lambda u: np.exp(-u * u), sqrt(log(2))),
    Bump("exponential", lambda u: np.exp(-np.abs(u)), log(2)),
)
