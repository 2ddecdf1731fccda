"""Derivatives from function values alone: the complex step where it is possible, else extrapolated differences."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from porting.dtypes import unit_roundoff

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

_STEP: Final = 1e-4  # times max(1, |x|); the extrapolated error is of order step^4
_ANALYTIC: Final = 1e-6  # of the largest derivative: closer than any function that is not analytic comes by chance
_COMPLEX_STEP: Final = 1e-30  # no subtraction, so no cancellation: as small as one likes


class Derivative(NamedTuple):
    """A vector-Jacobian product and the size of its own error, one array of float64 per input."""

    value: tuple[Array, ...]
    error: tuple[Array, ...]


def as_tuple(thing: Any) -> tuple[Any, ...]:
    """Return a tuple of outputs for one output or several."""
    return tuple(thing) if isinstance(thing, tuple | list) else (thing,)


def vjp(f: Function, inputs: Sequence[Array], cotangents: Sequence[Array], wrt: Sequence[int]) -> Derivative:
    """Differentiate ``sum(cotangents * f(*inputs))`` by every element of some inputs.

    Parameters
    ----------
    f : callable
        Takes the inputs; returns an array or a tuple of arrays.
    inputs : sequence of numpy.ndarray
        float64 (or integer) arrays of any shape; not changed.
    cotangents : sequence of numpy.ndarray
        One per output, of its shape.
    wrt : sequence of int
        Which inputs to differentiate by.

    Returns
    -------
    Derivative
        Per input in `wrt`, an array of its shape, and an estimate of the error. The complex step (Squire & Trapp,
        1998), which is exact to rounding, is taken for an input where it agrees with Richardson's extrapolation of
        central differences; a function that is not analytic (abs, max of complex numbers) is far off there, and falls
        back on the differences and their own error.
    """

    def along(k: int, i: int, step: complex) -> Any:
        moved = [np.array(x, dtype=np.result_type(x, type(step))) if j == k else x for j, x in enumerate(inputs)]
        moved[k].reshape(-1)[i] += step
        with np.errstate(all="ignore"):
            return sum(np.sum(v * y) for v, y in zip(cotangents, as_tuple(f(*moved)), strict=True))

    parts = [_by_one_input([partial(along, k, i) for i in range(inputs[k].size)], inputs[k]) for k in wrt]
    return Derivative(tuple(value for value, _ in parts), tuple(error for _, error in parts))


def elementwise(
    f: Function, inputs: Sequence[Array], cotangents: Sequence[Array], wrt: Sequence[int]
) -> tuple[Array, ...]:
    """Return `vjp`'s value for a function that works element by element: all elements are moved at once.

    The function's inputs and outputs must have one shape.
    """

    def along(k: int, step: Array) -> Array:
        moved = [x + step if j == k else x for j, x in enumerate(inputs)]
        return np.asarray(sum(v * y for v, y in zip(cotangents, as_tuple(f(*moved)), strict=True)))

    def slope(k: int) -> Array:
        h = _STEP * np.maximum(1.0, np.abs(inputs[k]))
        d = [(along(k, s) - along(k, -s)) / (2 * s) for s in (h, h / 2, h / 4)]
        return np.asarray((16 * (4 * d[2] - d[1]) / 3 - (4 * d[1] - d[0]) / 3) / 15)

    with np.errstate(all="ignore"):
        return tuple(slope(k) for k in wrt)


def one_sided(f: Function, x: float, step: float) -> tuple[float, float]:
    """Return the left and the right derivative of a scalar function, from three points each (error of order step^2)."""
    left = (3 * f(x) - 4 * f(x - step) + f(x - 2 * step)) / (2 * step)
    right = (-3 * f(x) + 4 * f(x + step) - f(x + 2 * step)) / (2 * step)
    return float(left), float(right)


def _by_one_input(phis: Sequence[Function], x: Array) -> tuple[Array, Array]:
    """Differentiate one scalar function per element of x."""
    steps = _STEP * np.maximum(1.0, np.abs(x.reshape(-1)))
    central = [_central(phi, h) for phi, h in zip(phis, steps, strict=True)]
    value, error = (np.array([pair[j] for pair in central]).reshape(x.shape) for j in (0, 1))
    exact = np.array([_complex(phi) for phi in phis]).reshape(x.shape)
    if x.size and (np.abs(exact - value) <= 4 * error + _ANALYTIC * np.abs(value).max()).all():
        return exact, 4 * unit_roundoff("float64") * np.abs(exact)
    again = [_central(phi, 0.83 * h) for phi, h in zip(phis, steps, strict=True)]  # another step shows the noise
    other, more = (np.array([pair[j] for pair in again]).reshape(x.shape) for j in (0, 1))
    return value, np.maximum(error, more) + 2 * np.abs(value - other)


def _central(phi: Function, h: float) -> tuple[float, float]:
    """Extrapolate central differences of steps h, h/2, h/4; the error is what the last extrapolation changed."""
    with np.errstate(all="ignore"):  # beyond the largest number there is no derivative, which NaN says
        d = [(phi(s) - phi(-s)) / (2 * s) for s in (h, h / 2, h / 4)]
        coarse, fine = (4 * d[1] - d[0]) / 3, (4 * d[2] - d[1]) / 3
        rounding = unit_roundoff("float64") * (abs(phi(h)) + abs(phi(-h))) / h
        return float(fine), float(abs(fine - coarse) + 8 * rounding)


def _complex(phi: Function) -> float:
    try:
        result = complex(phi(complex(0.0, _COMPLEX_STEP)))
    except TypeError:  # the function refuses complex numbers, as np.logaddexp does
        return float("nan")
    return result.imag / _COMPLEX_STEP
