"""Who loses digits: beside the inputs, numbers of fewer digits jump where those of a formula move evenly.

Steps of a third of a rounding error of float32 are next to nothing in float64: a smooth function moves by the same
amount in each, but for some 1e-15 of itself. What is rounded to float32 on the way stays, or jumps; so do the last
digits that are left of the difference of two large numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from typing import Any, Final

import numpy as np

from porting.dtypes import is_inexact, numbers, unit_roundoff, wide
from porting.numeric.tolerance import FACTOR
from porting.parity.ends import kept_within
from porting.runners import Case, Outcome

Array = np.ndarray[Any, Any]

_STEPS: Final = 30  # ten rounding errors of float32: one jump at least, also of what moves half as fast as its inputs
_STEP: Final = 2.0**-24 / 3
SHARE: Final = 2.0  # of its jumps, at most, an error is that they explain
_MOST: Final = 0.5  # of the elements that are off
FREE: Final = "no result is unique"  # how a note begins of what was not judged for that
ROUNDINGS: Final = 2.0**-48  # sixteen of float64
_DRAWS: Final = 8
_FEW_DRAWS: Final = 2  # after which what moves nowhere is not asked again
_LESS: Final = 0.9  # times the largest elements: what hangs on them changes
_WIDE_STEPS, _WIDE_STEP = 24, 1e-3  # beside a case: 2 % further out, where 1 - sigmoid(x) has a few steps
_ORDERS: Final = (5, 6, 7)  # of differences: what is smooth is next to nothing in them
_ALIKE: Final = 4.0  # times: of independent roundings each order tells the same size
_TURNS: Final = 0.5  # of the differences, at least, that have another sign than the one before
_FAR: Final = 3.0  # times the standard deviation of roundings
_FREE: Final = 1e-3  # of its largest element, or of itself: what moves so for these has no digits at all
_VALUES: Final = _DRAWS // 2  # of its numbers, at least, beside the first: a kink, or a step, has two


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
    numbers = _stacked([answer(replace(one, dy=dy) if held else one) for one in moved], quantity, place)
    if numbers is None:
        return None
    with np.errstate(all="ignore"):
        jumps = np.abs(np.diff(numbers, n=2, axis=0)).max(axis=0)
    return np.where(np.isfinite(jumps), jumps, 0.0)


def scatter(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int) -> Array | None:
    """Return how far each element is off by independent roundings on the way; nothing where no answer comes.

    `noise` does not see them where they are steps wider than its own: 1 - sigmoid(30) has three digits in float64, and
    stays for a thousandth of its input. Differences of high order beside the case do (Moré & Wild, *Estimating
    computational noise*, 2011): those of a smooth function vanish, or have one sign; those of roundings turn their sign
    and tell the same standard deviation in each order.
    """
    outcomes = [answer(_moved(case, 1 + n * _WIDE_STEP)) for n in range(_WIDE_STEPS)]
    numbers = _stacked(outcomes, quantity, place)
    if numbers is None:
        return None
    with np.errstate(all="ignore"):
        deviations = np.stack([_deviation(np.diff(numbers, n=k, axis=0), k) for k in _ORDERS])
        signs = np.sign(np.diff(numbers, n=_ORDERS[1], axis=0))
        rough = (signs[1:] * signs[:-1] < 0).mean(axis=0) >= _TURNS
        rough &= deviations.max(axis=0) <= _ALIKE * deviations.min(axis=0)
        return np.where(rough & np.isfinite(deviations[1]), _FAR * deviations[1], 0.0)


def _deviation(differences: Array, order: int) -> Array:
    """Return the standard deviation of independent errors whose differences of an order these are."""
    return np.asarray(np.sqrt((differences**2).mean(axis=0) / comb(2 * order, order)))


def _stacked(outcomes: Sequence[Outcome], quantity: str, place: int) -> Array | None:
    """Return one output or gradient of all outcomes, along a further axis; nothing if one has none of its shape."""
    arrays = [(o.value if quantity == "value" else o.vjp) if o.raised is None else () for o in outcomes]
    found = [numbers(a) for of in arrays for a in of[place : place + 1] if a is not None]
    return np.stack(found) if len(found) == len(outcomes) and len({a.shape for a in found}) == 1 else None


def free_places(case: Case, answer: Callable[[Case], Outcome]) -> frozenset[int]:
    """Return which outputs, and behind them which gradients, hang on the last digits of the inputs.

    Null vectors of a singular matrix do. Most elements move by a share of the largest one where the inputs move by some
    roundings. One at a jump, as of a floor, is another matter; so is a function that gives other numbers for the same
    question.
    """
    rng = np.random.default_rng(0)
    asked = replace(case, inputs={name: wide(x) for name, x in case.inputs.items()}, ddx=None, use="plain")
    moved = [_nudged(asked, rng) for _ in range(_DRAWS)]
    first, again = answer(asked), answer(asked)
    shares: list[dict[int, float]] = []  # by draw
    for one in moved:
        outcome = answer(one)
        if first.raised or again.raised or outcome.raised:
            return frozenset()
        shares.append(_moves(first, again, outcome))
        if len(shares) == _FEW_DRAWS and not any(any(share.values()) for share in shares):
            return frozenset()
    return frozenset(place for draw in shares for place, share in draw.items() if share > _MOST)


def _nudged(case: Case, rng: np.random.Generator) -> Case:
    """Return a case whose real inputs are moved by some roundings of float64; what is only looked at stays.

    A mask of 0 and 1 that is cast to whole numbers would be another one.
    """

    def beside(x: Array) -> Array:
        return x * (1 + ROUNDINGS * rng.choice([-1.0, 1.0], x.shape)) if x.dtype.kind == "f" else x

    moved = {n: beside(x) if n in case.op.wrt else x for n, x in case.inputs.items()}
    return replace(case, inputs=kept_within(case, moved))


def stepped(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int) -> Array | None:
    """Return how far each element moves where the inputs do by some roundings; nothing where no answer comes."""
    rng = np.random.default_rng(0)
    found = _stacked([answer(one) for one in (case, *(_nudged(case, rng) for _ in range(_DRAWS)))], quantity, place)
    if found is None:
        return None
    with np.errstate(all="ignore"):
        return np.asarray(np.nan_to_num(np.abs(found[1:] - found[0]).max(axis=0), nan=0.0, posinf=0.0))


def lost(case: Case, answer: Callable[[Case], Outcome], quantity: str, place: int) -> Array | None:
    """Return how far each element without any digit moves, 0 for the others; nothing where no answer comes.

    One input after the other grows by some roundings, again and again. At a kink, or a step, an element has two values,
    one before and one beyond; of an iteration that does not converge each value is another one.
    """
    spans = []
    for name in case.op.wrt:
        if case.inputs[name].dtype.kind != "f":
            continue
        found = _stacked([answer(one) for one in _grown(case, name, _FEW_DRAWS)], quantity, place)
        if found is not None and _apart(found).any():
            found = _stacked([answer(one) for one in _grown(case, name, _DRAWS)], quantity, place)
        if found is None or np.iscomplexobj(found):
            return None
        with np.errstate(all="ignore"):
            span = np.fmax.reduce(found) - np.fmin.reduce(found)
        spans.append(np.where(_apart(found).sum(axis=0) >= _VALUES, span, 0.0))
    return np.nan_to_num(np.max(spans, axis=0), nan=0.0, posinf=0.0) if spans else None


def _grown(case: Case, name: str, count: int) -> list[Case]:
    """Return a case, and others in which one input is larger by so many roundings."""
    grown = [{**case.inputs, name: case.inputs[name] * (1 + n * ROUNDINGS)} for n in range(count + 1)]
    return [replace(case, inputs=kept_within(case, one)) for one in grown]


def _apart(found: Array) -> Array:
    """Return whether an element's numbers, in order, are far from the next one; NaN is no number."""
    with np.errstate(all="ignore"):
        return np.asarray(np.diff(np.sort(found, axis=0), axis=0) > _FREE * np.fmax.reduce(np.abs(found)))


def _moves(first: Outcome, again: Outcome, beside: Outcome) -> dict[int, float]:
    """Return what share of each array moves far, of those that come again as they were."""
    found = {}
    arrays = ((*outcome.value, *outcome.vjp) for outcome in (first, again, beside))
    for place, (x, y, z) in enumerate(zip(*arrays, strict=False)):
        if x is None or y is None or z is None or not x.size or not np.array_equal(x, y, equal_nan=True):
            continue
        with np.errstate(all="ignore"):
            found[place] = float((np.abs(numbers(z) - numbers(x)) > _FREE * np.abs(numbers(x)).max()).mean())
    return found


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
    found = _stacked(outcomes, quantity, place)
    if found is None:
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
        error = np.abs(numbers(got) - numbers(want))
    off = np.isfinite(error) & (error > allowed)
    return bool(off.any()) and float((error[off] <= SHARE * jumps[off]).mean()) >= _MOST


def _moved(case: Case, factor: float) -> Case:
    def move(x: Array) -> Array:
        return (x * factor).astype(x.dtype) if is_inexact(x) else x

    dy = case.dy and tuple(map(move, case.dy))
    return replace(case, inputs=kept_within(case, {name: move(x) for name, x in case.inputs.items()}), dy=dy)
