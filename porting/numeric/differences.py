"""Derivatives from function values only: the complex step where possible, else extrapolated finite differences."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from porting.dtypes import unit_roundoff
from porting.numeric.batched import Batched, many

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

_STEP: Final = 1e-4  # times max(1, |x|); the extrapolated error is of order step^4
_ANALYTIC: Final = 1e-6  # of the largest derivative: closer than any function that is not analytic comes by chance
COMPLEX_STEP: Final = 1e-30  # no subtraction, so no cancellation: as small as one likes
_OTHER_STEP: Final = 0.83  # another step shows the noise
_PARTS: Final = (1.0, -1.0, 0.5, -0.5, 0.25, -0.25)  # of a step


class Derivative(NamedTuple):
    """A vector-Jacobian product and the size of its own error, one array of float64 per input."""

    value: tuple[Array, ...]
    error: tuple[Array, ...]


def as_tuple(thing: Any) -> tuple[Any, ...]:
    """Return a tuple of outputs for one output or several."""
    return tuple(thing) if isinstance(thing, tuple | list) else (thing,)


def vjp(f: Function, inputs: Sequence[Array], cotangents: Sequence[Array], wrt: Sequence[int]) -> Derivative:
    """Differentiate ``sum(cotangents * f(*inputs))`` by every element of some inputs; see `Around`.

    Parameters
    ----------
    f : callable
        A function of the inputs, or a `Batched` function of their sequence; it returns an array or a tuple of arrays.
    inputs : sequence of numpy.ndarray
        float64 (or integer) arrays of any shape; not changed.
    cotangents : sequence of numpy.ndarray
        One per output, of its shape.
    wrt : sequence of int
        Which inputs to differentiate by.
    """
    return Around(f, inputs, wrt).vjp(cotangents)


class Around:
    """A function's values around one point: every vjp at that point follows from them.

    Parameters
    ----------
    f, inputs, wrt
        As for `vjp`.
    elementwise : bool
        Whether the function works element by element, and its inputs and outputs have one shape: then all elements
        are moved at once.
    stretch : float
        How many times longer than usual the steps are.
    """

    def __init__(
        self,
        f: Function,
        inputs: Sequence[Array],
        wrt: Sequence[int],
        *,
        elementwise: bool = False,
        stretch: float = 1.0,
    ) -> None:
        self._f = f if isinstance(f, Batched) else lambda at: as_tuple(f(*at))
        self._inputs = inputs
        self._wrt = wrt
        self._elementwise = elementwise
        self._step = stretch * _STEP

    def vjp(self, cotangents: Sequence[Array]) -> Derivative:
        """Return the derivatives by each input in `wrt`.

        Returns
        -------
        Derivative
            Per input in `wrt`, an array of its shape, and an estimate of the error. The complex step (Squire & Trapp,
            1998) is exact to rounding. It is used for an input if it agrees with Richardson's extrapolation of central
            differences. For a function that is not analytic (abs, max of complex numbers) it is far off; then the
            differences and their own error are used.
        """
        with np.errstate(all="ignore"):  # beyond the largest number there is no derivative, which NaN says
            parts = [self._by_one_input(n, cotangents) for n in range(len(self._wrt))]
        return Derivative(tuple(value for value, _ in parts), tuple(error for _, error in parts))

    def slopes(self, cotangents: Sequence[Array]) -> tuple[Array, ...]:
        """Return `vjp`'s value by differences only, without an error."""
        with np.errstate(all="ignore"):
            return tuple(self._central(n, near, cotangents)[0] for n, near in enumerate(self._near))

    def _by_one_input(self, n: int, cotangents: Sequence[Array]) -> tuple[Array, Array]:
        value, error = self._central(n, self._near[n], cotangents)
        (beside,) = self._phi(n, self._beside[n], cotangents, 1)
        exact = beside.imag / COMPLEX_STEP
        if value.size and (np.abs(exact - value) <= 4 * error + _ANALYTIC * np.abs(value).max()).all():
            return exact, 4 * unit_roundoff("float64") * np.abs(exact)
        other, more = self._central(n, self._near_again[n], cotangents, _OTHER_STEP)
        return value, np.maximum(error, more) + 2 * np.abs(value - other) + self._bend(n, cotangents)

    def _bend(self, n: int, cotangents: Sequence[Array]) -> Array:
        """Return by how much the slopes on the two sides differ, if not less so nearer by.

        Central differences of every step are the mean of both slopes beside a kink, and agree.
        """
        phi, h = self._phi(n, self._near[n], cotangents, len(_PARTS)), self._steps(n)
        weighted = [np.asarray(v * y) for v, y in zip(cotangents, self._center, strict=True)]
        here: Array = np.asarray(sum(w if self._elementwise else w.sum() for w in weighted))
        wide, close = ((phi[2 * k] - 2 * here + phi[2 * k + 1]) / (_PARTS[2 * k] * h) for k in (0, 2))
        rounding = unit_roundoff("float64") * (np.abs(phi[4]) + np.abs(phi[5])) / (_PARTS[4] * h)
        return np.asarray(np.maximum(np.abs(close) - np.abs(wide) / 2 - 8 * rounding, 0.0))

    @cached_property
    def _center(self) -> Sequence[Array]:
        return [np.asarray(y) for y in many(self._f, [(self._inputs,)])[0]]

    def _central(
        self, n: int, values: Sequence[Array], cotangents: Sequence[Array], part: float = 1.0
    ) -> tuple[Array, Array]:
        """Extrapolate central differences of steps h, h/2, h/4; the error is what the last extrapolation changed."""
        phi, h = self._phi(n, values, cotangents, len(_PARTS)), part * self._steps(n)
        d = [(phi[2 * k] - phi[2 * k + 1]) / (2 * _PARTS[2 * k] * h) for k in range(3)]
        coarse, fine = (4 * d[1] - d[0]) / 3, (4 * d[2] - d[1]) / 3
        if self._elementwise:
            return np.asarray((16 * fine - coarse) / 15), np.abs(fine - coarse)
        rounding = unit_roundoff("float64") * (np.abs(phi[0]) + np.abs(phi[1])) / h
        return fine, np.abs(fine - coarse) + 8 * rounding

    def _phi(self, n: int, values: Sequence[Array], cotangents: Sequence[Array], parts: int) -> Array:
        """Return ``sum(cotangents * values)`` by part of a step and moved element, in the input's shape."""
        weighted = [v * y for v, y in zip(cotangents, values, strict=True)]
        if not self._elementwise:
            weighted = [np.sum(w, axis=tuple(range(1, w.ndim))) for w in weighted]
        return np.asarray(sum(weighted)).reshape(parts, *self._inputs[self._wrt[n]].shape)

    @cached_property
    def _near(self) -> list[Sequence[Array]]:
        return [self._values(n, _PARTS) for n in range(len(self._wrt))]

    @cached_property
    def _near_again(self) -> list[Sequence[Array]]:
        return [self._values(n, [_OTHER_STEP * part for part in _PARTS]) for n in range(len(self._wrt))]

    @cached_property
    def _beside(self) -> list[Sequence[Array]]:
        """The values at a complex step; NaN of a function that refuses complex numbers, as np.logaddexp does."""
        found = []
        for n, near in enumerate(self._near):
            try:
                found.append(self._values(n, [complex(0.0, COMPLEX_STEP)]))
            except TypeError:
                found.append([np.full((len(y) // len(_PARTS), *y.shape[1:]), np.nan + 0j) for y in near])
        return found

    def _values(self, n: int, parts: Sequence[complex]) -> Sequence[Array]:
        """Return each output at each part of a step, for each element that is moved: stacked, in this order."""
        with np.errstate(all="ignore"):
            outputs = many(self._f, [(at,) for part in parts for at in self._moved(n, part)])
        empty = [np.zeros((0, *np.shape(y))) for y in self._f(self._inputs)] if not outputs else []
        return [np.stack(column) for column in zip(*outputs, strict=True)] or empty

    def _moved(self, n: int, part: complex) -> Iterator[list[Array]]:
        """Yield the inputs with one element of one input moved, each element in turn; or with all moved at once."""
        k = self._wrt[n]
        x = self._inputs[k]
        steps = np.full(x.shape, part) if isinstance(part, complex) else part * self._steps(n)
        dtype = np.result_type(x, type(part))
        for place in [...] if self._elementwise else range(x.size):
            changed = np.array(x, dtype=dtype)
            changed.reshape(-1)[place] += steps.reshape(-1)[place]
            yield [changed if j == k else other for j, other in enumerate(self._inputs)]

    def _steps(self, n: int) -> Array:
        return np.asarray(self._step * np.maximum(1.0, np.abs(self._inputs[self._wrt[n]])))


def one_sided(f: Function, x: float, step: float) -> tuple[float, float]:
    """Return the left and the right derivative of a scalar function, from three points each (error of order step^2)."""
    left = (3 * f(x) - 4 * f(x - step) + f(x - 2 * step)) / (2 * step)
    right = (-3 * f(x) + 4 * f(x + step) - f(x + 2 * step)) / (2 * step)
    return float(left), float(right)
