"""Who loses digits: beside the inputs, numbers of fewer digits jump where those of a formula move evenly.

Steps of a third of a rounding error of float32 are next to nothing in float64: a smooth function moves by the same
amount in each, but for some 1e-15 of itself. What is rounded to float32 on the way stays, or jumps; so do the last
digits that are left of the difference of two large numbers.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import is_inexact, unit_roundoff, wide
from porting.numeric.tolerance import FACTOR
from porting.runners import Case, Outcome

Array = np.ndarray[Any, Any]

_STEPS: Final = 30  # ten rounding errors of float32: one jump at least, also of what moves half as fast as its inputs
_STEP: Final = 2.0**-24 / 3
_SHARE: Final = 2.0  # of its jumps, at most, an error is that they explain
_MOST: Final = 0.5  # of the elements that are off
FREE: Final = "no result is unique"  # how a note begins of what was not judged for that
ROUNDINGS: Final = 2.0**-48  # sixteen of float64
_DRAWS: Final = 8
_LESS: Final = 0.9  # times the largest elements: what hangs on them changes
_FREE: Final = 1e-3  # of its largest element: a function that moves so for these has no digits at all


def noise(
    case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int, step: float = _STEP, *, held: bool = False
) -> Array | None:
    """Return how far each element jumps beside a case, an array of its shape; nothing where no answer comes.

    Parameters
    ----------
    case : Case
        In float64.
    answer : callable
        Answers a case.
    quantity : {"value", "gradient"}
        What is looked at.
    place : int
        Which output, or by which input.
    step : float
        How far the numbers are moved, of themselves.
    held : bool
        Leave the cotangents where they are, with digits that float32 has too: of an output in float32 a framework
        rounds them.
    """
    dy = case.dy and tuple(v.astype(np.float32).astype(v.dtype) if v.dtype == np.float64 else v for v in case.dy)
    moved = [_moved(case, 1 + n * step) for n in range(_STEPS)]
    outcomes = [answer(replace(one, dy=dy) if held else one) for one in moved]
    arrays = [(o.value if quantity == "value" else o.vjp) if o.raised is None else () for o in outcomes]
    found = [of[place] if place < len(of) else None for of in arrays]
    numbers = [wide(a) for a in found if a is not None]
    if len(numbers) < _STEPS or len({a.shape for a in numbers}) > 1:
        return None
    with np.errstate(all="ignore"):
        jumps = np.abs(np.diff(np.stack(numbers), n=2, axis=0)).max(axis=0)
    return np.where(np.isfinite(jumps), jumps, 0.0)


def is_free(case: Case, answer: Callable[[Case], Outcome]) -> bool:
    """Whether an output or a gradient hangs on the last digits of the inputs: null vectors of a singular matrix do.

    Most elements of it move by a share of the largest one where the inputs move by some roundings. One at a jump, as of
    a floor, is another matter; so is a function that gives other numbers for the same question.
    """
    rng = np.random.default_rng(0)

    def beside(x: Array) -> Array:
        return x * (1 + ROUNDINGS * rng.choice([-1.0, 1.0], x.shape)) if x.dtype.kind == "f" else x

    asked = replace(case, inputs={name: wide(x) for name, x in case.inputs.items()}, ddx=None, use="plain")
    moved = [replace(asked, inputs={n: beside(x) for n, x in asked.inputs.items()}) for _ in range(_DRAWS)]
    first, *others = [answer(one) for one in (asked, asked, *moved)]
    if any(outcome.raised for outcome in (first, *others)):
        return False
    parts = zip((*first.value, *first.vjp), *((*o.value, *o.vjp) for o in others), strict=False)
    return any(_moves(*arrays) for arrays in parts if all(a is not None for a in arrays))


def _moves(first: Array, again: Array, *beside: Array) -> bool:
    if not first.size or not np.array_equal(first, again, equal_nan=True):
        return False
    with np.errstate(all="ignore"):
        far = [np.abs(wide(x) - wide(first)) > _FREE * np.abs(wide(first)).max() for x in beside]
    return max(float(one.mean()) for one in far) > _MOST


def normwise(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int) -> Array | None:
    """Return how far each element moves where every input does by roundings of its largest element, in a case's type.

    An algorithm for matrices that is as good as any other one loses that much (Higham, *Accuracy and Stability of
    Numerical Algorithms*, 1.5 and 7.1): its answer is the right one of a matrix beside the given one. An
    element that does not hang on the largest ones gets 0: a function of each element loses no digits for others.
    """
    rng = np.random.default_rng(0)
    c = FACTOR[case.dtype] * unit_roundoff(case.dtype)
    exact = {name: wide(x) for name, x in case.inputs.items() if is_inexact(x)}
    peaks = {name: np.abs(x).max(initial=0.0) for name, x in exact.items()}
    moved = [{n: x + c * peaks[n] * rng.choice([-1.0, 1.0], x.shape) for n, x in exact.items()} for _ in range(_DRAWS)]
    without = {n: np.where(np.abs(x) == peaks[n], x * _LESS, x) for n, x in exact.items()}
    outcomes = [answer(replace(case, inputs={**case.inputs, **some})) for some in (exact, without, *moved)]
    arrays = [(o.value if quantity == "value" else o.vjp) if o.raised is None else () for o in outcomes]
    found = [wide(a) for of in arrays for a in of[place : place + 1] if a is not None]
    if len(found) < len(outcomes) or len({a.shape for a in found}) > 1:
        return None
    first, another, *beside = found
    with np.errstate(all="ignore"):
        moves = np.abs(np.stack(beside) - first).max(axis=0)
    return np.where(another == first, 0.0, moves)


def explains(jumps: Array | None, got: Array, want: Array, allowed: Array) -> bool:
    """Whether what an array is off by is no more than such jumps, in most of the elements that are too far off."""
    if jumps is None or not jumps.shape == got.shape == want.shape:
        return False
    with np.errstate(all="ignore"):
        error = np.abs(wide(got) - wide(want))
    off = np.isfinite(error) & (error > allowed)
    return bool(off.any()) and float((error[off] <= _SHARE * jumps[off]).mean()) >= _MOST


def _moved(case: Case, factor: float) -> Case:
    def move(x: Array) -> Array:
        return (x * factor).astype(x.dtype) if is_inexact(x) else x

    dy = case.dy and tuple(map(move, case.dy))
    return replace(case, inputs={name: move(x) for name, x in case.inputs.items()}, dy=dy)
