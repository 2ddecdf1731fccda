"""An independent witness for an oracle: the same mathematics in mpmath, differentiated by mpmath's own numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

POINTS = [
    (-3.7, 0.4), (-0.83, -0.9), (0.31, 0.27), (0.77, -1.3), (2.9, 2.2), (17.0, -4.1), (-21.0, 3.0),
    (720.0, 1.5), (-720.0, -1.5), (0.4, 720.0), (-0.4, -720.0), (1e-30, 1e-30), (-1e-300, 0.7),
]  # fmt: skip
DIGITS = 60
STEP = mpmath.mpf(10) ** -20


@dataclass(frozen=True)
class Witness:
    """What mpmath knows of one op.

    Attributes
    ----------
    value : callable
        The value of numbers (`mpmath.mpf`), or of object arrays of them where `points` has arrays.
    gradient : callable, optional
        The function whose derivative the gradient is; the value itself when not given.
    vjp : callable, optional
        ``vjp(dy, <inputs>)``, where the gradient is no derivative.
    points : sequence of tuples
        Inputs to try, as numbers or nested lists; integers stay integers.
    statics : sequence of mappings
        Statics to try; all that the contract names when not given.
    ulp : float
        Units in the last place allowed.
    """

    value: Callable[..., Any]
    gradient: Callable[..., Any] | None = None
    vjp: Callable[..., Any] | None = None
    points: Sequence[tuple[Any, ...]] | None = None
    statics: Sequence[Mapping[str, Any]] | None = None
    ulp: float = 40.0


def exact(x: Any) -> Any:
    """Return floats as mpf, arrays of them as object arrays; integers and booleans as they are."""
    if x.dtype.kind != "f":
        return x if x.ndim else x.item()
    return mpmath.mpf(float(x)) if x.ndim == 0 else np.vectorize(mpmath.mpf, otypes=[object])(x)


def as_tuple(y: Any) -> tuple[Any, ...]:
    return tuple(y) if isinstance(y, tuple | list) else (y,)


def cotangents(outputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return 1 for a number, and numbers of both signs for arrays."""
    return tuple(
        np.float64(1.0) if np.ndim(y) == 0 and len(outputs) == 1
        else np.resize([1.5, -0.75, 2.0, 0.5, -1.25], np.shape(y))
        for y in outputs
    )  # fmt: skip


def truth(witness: Witness, inputs: Sequence[Any], wrt: Sequence[int], dy: Sequence[Any], statics: Mapping[str, Any]):
    """Return outputs and gradients in many digits."""
    smallest = min((abs(float(v)) for x in inputs for v in np.ravel(x) if v), default=1.0)
    with mpmath.workdps(DIGITS + 2 * max(0, -int(np.log10(smallest)))):
        at = [exact(x) for x in inputs]
        value = as_tuple(witness.value(*at, **statics))
        v = [exact(np.asarray(d)) for d in dy]
        if witness.vjp is not None:
            return value, as_tuple(witness.vjp(v[0] if len(v) == 1 else tuple(v), *at, **statics))
        function = witness.gradient or witness.value

        def weighted(moved: Sequence[Any]) -> Any:
            outputs = as_tuple(function(*moved, **statics))
            return sum(mpmath.fsum(np.ravel(np.asarray(d * y, dtype=object))) for d, y in zip(v, outputs, strict=True))

        return value, tuple(_partial(weighted, at, k) for k in wrt)


def _partial(f: Callable[[Sequence[Any]], Any], at: Sequence[Any], k: int) -> Any:
    x = np.asarray(at[k], dtype=object)
    slopes = np.empty(x.shape, dtype=object)
    for i in np.ndindex(x.shape):
        h = STEP * (abs(x[i]) or 1)
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[i] = x[i] + sign * h
            ends.append(f([*at[:k], moved if x.ndim else moved.item(), *at[k + 1 :]]))
        slopes[i] = (ends[0] - ends[1]) / (2 * h)
    return slopes
