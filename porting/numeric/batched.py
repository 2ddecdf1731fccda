"""Evaluates a function at many points in one call, if one call gives the same as many calls.

Most of the cost of a tolerance or a finite difference is the call, not the numbers: a dozen numbers take as long as a
hundred. A further axis in front holds the points. Whether a function accepts this axis is tested, not assumed: a
function that mixes elements along it is evaluated point by point.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, TypeAlias

import numpy as np

from porting.dtypes import is_inexact
from porting.errors import NotRecordedError, RunnerError

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Point: TypeAlias = tuple[Sequence[Array], ...]
Function: TypeAlias = Callable[..., Arrays]

_FEWEST: Final = 3  # points that are worth one call
_MOST: Final = 1 << 16  # numbers in one argument of one call: beyond, the numbers are what takes the time
_SAME: Final = {"f": 1e-4, "F": 1e-4}  # of float32; rounding differs between one call and many, mixing shows at once
_SAME_WIDE: Final = 1e-9


def many(f: Function, points: Sequence[Point]) -> list[Arrays]:
    """Return ``f(*point)`` for each point, in few calls if `f` has a method ``many`` as `Batched` has."""
    together: Callable[[Sequence[Point]], list[Arrays]] | None = getattr(f, "many", None)
    return [f(*point) for point in points] if together is None else together(points)


class Batched:
    """A function that is evaluated at many points together where this is possible.

    Parameters
    ----------
    f : callable
        Takes one or several sequences of arrays, and returns a tuple of arrays.
    known : dict
        Earlier results of the test of this function, by the ranks and types of its arguments. New results are added.
    """

    def __init__(self, f: Function, known: dict[Any, bool]) -> None:
        self._f = f
        self._known = known

    def __call__(self, *point: Sequence[Array]) -> Arrays:
        """Return the function at one point."""
        return self._f(*point)

    def many(self, points: Sequence[Point]) -> list[Arrays]:
        """Return the function at each point; the points' arrays have the same shapes."""
        size = min(len(points), _fitting(points[0])) if points else 0
        if size < _FEWEST or not self.stacks(points):
            return [self._f(*point) for point in points]
        return list(chain.from_iterable(self._some(points[k : k + size]) for k in range(0, len(points), size)))

    def _some(self, points: Sequence[Point]) -> list[Arrays]:
        found = _together(self._f, points)
        return [self._f(*point) for point in points] if found is None else found

    def is_cheap(self, point: Point) -> bool:
        """Tell whether a few more points like this one cost almost nothing, because they go into one call."""
        return _fitting(point) >= _FEWEST and self.stacks([point])

    def stacks(self, points: Sequence[Point]) -> bool:
        """Tell whether points of these ranks and types may go into one call; this is tested the first time."""
        layout = tuple(tuple((a.ndim, a.dtype.char) for a in part) for part in points[0])
        if layout not in self._known:
            self._known[layout] = self._tried(points)
        return self._known[layout]

    def _tried(self, points: Sequence[Point]) -> bool:
        """Compare one call with many, at points whose every mean, maximum and sign is another."""
        asked, alone = [], []
        for point in (points[0], *_others(points[0]), points[-1]):
            try:
                alone.append(self._f(*point))
            except (NotRecordedError, RunnerError):
                raise
            except Exception:  # noqa: BLE001, S112 - other people's code: such a point says nothing
                continue
            asked.append(point)
        lengths = {n for part in points[0] for a in part for n in a.shape}
        while 1 < len(asked) in lengths:  # a function that divides by the length of its first axis shows it
            asked, alone = [*asked, asked[0]], [*alone, alone[0]]
        found = _together(self._f, asked) if len(asked) > 1 else None
        return found is not None and all(
            len(a) == len(b) and all(map(_same, a, b)) for a, b in zip(found, alone, strict=True)
        )


def _fitting(point: Point) -> int:
    """Return how many points of this size go into one call."""
    return _MOST // max(1, *(a.size for part in point for a in part))


def _together(f: Function, points: Sequence[Point]) -> list[Arrays] | None:
    """Return what one call gives, or nothing if it does not give one result per point."""
    if any(
        len({a.shape for a in column}) > 1 for part in zip(*points, strict=True) for column in zip(*part, strict=True)
    ):
        return None
    try:
        outputs = f(*([np.stack(column) for column in zip(*part, strict=True)] for part in zip(*points, strict=True)))
    except (NotRecordedError, RunnerError):
        raise
    except Exception:  # noqa: BLE001 - other people's code: asked point by point, it says itself what is wrong
        return None
    outputs = tuple(np.asarray(y) for y in outputs)
    if any(y.shape[:1] != (len(points),) for y in outputs):
        return None
    return [tuple(np.asarray(y[k]) for y in outputs) for k in range(len(points))]


def _others(point: Point) -> Iterator[Point]:
    """Yield a smaller point in the other order, and one whose numbers are all the same."""
    yield tuple([_smaller(np.flip(a)) for a in part] for part in point)
    yield tuple([_smaller(np.full_like(a, a.reshape(-1)[0])) if a.size else a for a in part] for part in point)


def _smaller(a: Array) -> Array:
    return np.asarray(0.7 * a).astype(a.dtype) if is_inexact(a) else np.asarray(a)


def _same(a: Array, b: Array) -> bool:
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    near = _SAME.get(a.dtype.char, _SAME_WIDE)
    finite = np.abs(b[np.isfinite(b)])
    return bool(np.allclose(a, b, near, near * float(finite.max(initial=0)), equal_nan=True))
