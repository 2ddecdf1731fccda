"""Finds the known surrogate that a gradient is: its name in `porting.surrogates`, with fitted parameters."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from porting.surrogates import BUMPS

Array = np.ndarray[Any, Any]
Gradient = Callable[[Array], Array]

_REACH: Final = 8.0  # as far as everyday numbers go
_GRID: Final = np.linspace(-_REACH, _REACH, 1601)
_OTHERS: Final = np.random.default_rng(0).uniform(-_REACH, _REACH, 301)  # to judge by, between those of the grid
_FITS: Final = 1e-6  # of the largest gradient
# Digits of a parameter, and how near a number with so few is taken for what was written: what is printed is pasted, and
# compared in float64. Few digits are likely; of float32 a parameter is known to some 1e-7.
_ROUNDS: Final = ((3, 1e-6), (6, 1e-9), (12, 1e-13))
_ROUND, _PLACES = 7, 257  # of looking closer at where it crosses a level: 2^-56 of what was there
_MARKS: Final = "▁▂▃▄▅▆▇█"
_WIDTH: Final = 33  # places of a curve


def family_of(gradient: Gradient) -> tuple[str, dict[str, float]] | None:
    """Return the name of a surrogate and its parameters; nothing if none of them has this gradient.

    Parameters
    ----------
    gradient : callable
        Given numbers, an array of one axis, returns the gradient at each of them for a cotangent of 1.
    """
    g = gradient(_GRID)
    if g.shape != _GRID.shape or not np.isfinite(g).all() or not g.any():
        return None
    for name, parameters in _candidates(gradient, g):
        rounded = {n: _rounded(value) for n, value in parameters.items()}
        if _is(gradient, name, rounded):
            return name, rounded
    return None


def _rounded(value: float) -> float:
    """Return a parameter with as few digits as it may have been written with."""
    if abs(value) < _FITS:
        return 0.0
    short = ((float(f"{value:.{digits}g}"), near) for digits, near in _ROUNDS)
    return float(next((few for few, near in short if abs(few - value) <= near * abs(value)), value))


def curve(gradient: Gradient) -> str:
    """Return a small picture of a gradient between -4 and 4, and the values of its highest and its lowest mark."""
    g = gradient(np.linspace(-_REACH / 2, _REACH / 2, _WIDTH))
    if g.shape != (_WIDTH,) or not np.isfinite(g).all():
        return ""
    low, high = float(g.min()), float(g.max())
    if low == high:
        return f"{low:.4g} everywhere"
    marks = [_MARKS[int((value - low) / (high - low) * (len(_MARKS) - 1) + 0.5)] for value in g]
    return f"{''.join(marks)} from {-_REACH / 2:g} to {_REACH / 2:g}, {low:.4g} to {high:.4g} high"


def _candidates(gradient: Gradient, g: Array) -> list[tuple[str, dict[str, float]]]:
    height = float(g.max())
    if (g == g[0]).all():
        return [("identity", {})] if height == 1 else [("scaled", {"height": float(g[0])})]
    if height <= 0:
        return []
    for _ in range(2):  # once more with the height that it has in the middle, between places of the grid
        inside = np.flatnonzero(2 * g > height)
        if not len(inside) or inside[0] == 0 or inside[-1] == len(g) - 1:
            return []
        first, last = int(inside[0]), int(inside[-1])
        low = _edge(gradient, height / 2, _GRID[first - 1], _GRID[first])
        high = _edge(gradient, height / 2, _GRID[last + 1], _GRID[last])
        at, half = (low + high) / 2, (high - low) / 2
        height = float(gradient(np.array([at]))[0])
    if set(np.unique(g)) == {0.0, height}:
        flat = [("rectangle", {"at": at, "width": half, "height": height})]
        even = [("clipped", {"limit": high})] if _rounded(-low) == _rounded(high) else []
        return [*even, ("between", {"low": low, "high": high}), *flat] if height == 1 else flat
    return [(bump.name, {"at": at, "width": half / bump.half, "height": height}) for bump in BUMPS]


def _edge(gradient: Gradient, level: float, outside: float, inside: float) -> float:
    """Return where a gradient crosses a level, between a place where it is below and one where it is above."""
    for _ in range(_ROUND):
        places = np.linspace(outside, inside, _PLACES)
        k = max(1, int(np.argmax(gradient(places) > level)))
        outside, inside = places[k - 1], places[k]
    return (outside + inside) / 2


def _is(gradient: Gradient, name: str, parameters: dict[str, float]) -> bool:
    """Whether a surrogate has the gradient."""
    got, want = gradient(_OTHERS), _derivative(name, _OTHERS, parameters)
    return bool(np.allclose(got, want, rtol=_FITS, atol=_FITS * float(np.abs(got).max())))


def _derivative(name: str, x: Array, p: dict[str, float]) -> Array:
    match name:
        case "identity" | "scaled":
            return np.full(x.shape, p.get("height", 1.0))
        case "clipped":
            return np.asarray(np.abs(x) <= p["limit"], dtype=float)
        case "between":
            return np.asarray((x >= p["low"]) & (x <= p["high"]), dtype=float)
        case "rectangle":
            return p["height"] * np.asarray(np.abs(x - p["at"]) <= p["width"], dtype=float)
    bump = next(b for b in BUMPS if b.name == name)
    return p["height"] * bump.gradient((x - p["at"]) / p["width"])
