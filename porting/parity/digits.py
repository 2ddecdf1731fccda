"""Who loses digits: beside the inputs, numbers of fewer digits jump where those of a formula move evenly.

Steps of a third of a rounding error of float32 are next to nothing in float64: a smooth function moves by the same
amount in each, but for some 1e-15 of itself. What is rounded to float32 on the way stays, or jumps; so do the last
digits that are left of the difference of two large numbers.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import is_inexact, wide
from porting.runners import Case, Outcome

Array = np.ndarray[Any, Any]

_STEPS: Final = 12  # four rounding errors of float32: one jump at least
_STEP: Final = 2.0**-24 / 3
_SHARE: Final = 2.0  # of its jumps, at most, an error is that they explain
_MOST: Final = 0.5  # of the elements that are off


def noise(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int) -> Array | None:
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
    """
    outcomes = [answer(_moved(case, 1 + n * _STEP)) for n in range(_STEPS)]
    arrays = [(o.value if quantity == "value" else o.vjp) if o.raised is None else () for o in outcomes]
    found = [of[place] if place < len(of) else None for of in arrays]
    numbers = [wide(a) for a in found if a is not None]
    if len(numbers) < _STEPS or len({a.shape for a in numbers}) > 1:
        return None
    with np.errstate(all="ignore"):
        jumps = np.abs(np.diff(np.stack(numbers), n=2, axis=0)).max(axis=0)
    return np.where(np.isfinite(jumps), jumps, 0.0)


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
