"""A branch: right on one side of a threshold, and wrong beyond it."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example, size
from porting.diagnosis.experiments import finite, shape_of
from porting.diagnosis.one_number import at_one_number
from porting.dtypes import unit_roundoff, wide
from porting.runners import Case

_VANISHING: Final = 1e-6  # of the largest element: right by any formula
_MORE: Final = 3  # draws in which the same elements must be wrong
_MANY, _SOME = 8, 3  # numbers between two edges, and beyond each
_WIDER: Final = 3.0
_STEPS: Final = 33  # twice refined: the edge is known to a thousandth
_HALVES: Final = 10  # so it is by as many halves
_ROUNDED: Final = 2 * unit_roundoff("float32")
_SAME: Final = 1e-3  # of it
_SHARP: Final = 100  # times what is allowed, right beyond the edge: a difference that fades out starts with less


def _jumps(e: Evidence, example: Example, name: str, by: str, mask: Array, measure: Array) -> bool:
    """Whether the error starts with a jump, as that of a branch does, or grows out of nothing."""
    if e.op.contract.shapes:
        return _jumps_in_place(e, example, name, by, mask, measure)
    case = example.case
    outside = int(np.argmin(np.where(mask, measure, np.inf)))
    x = case.inputs[by].reshape(-1)
    sign = np.sign(x[outside] * measure.reshape(-1)[outside])  # of x, where the measure is its size or its negative
    ends = sign * measure[~mask].max(), x[outside]
    for _ in range(2):
        points = np.linspace(*ends, _STEPS)
        inputs = {n: np.full(_STEPS, v.reshape(-1)[outside]).astype(v.dtype) for n, v in case.inputs.items()}
        dy = tuple(np.full(_STEPS, v.reshape(-1)[outside]).astype(v.dtype) for v in case.dy or ())
        found = e.look(replace(case, inputs={**inputs, by: points.astype(x.dtype)}, dy=dy))
        if found is None or name not in found.wrong:
            return True
        first = int(np.argmax(found.wrong[name]))
        ends = points[max(first - 1, 0)], points[first]
        off = np.abs(found.got[name] - found.want[name])[first]
        sharp = bool(off > _SHARP * found.allowed[name][first])
    return sharp


def _jumps_in_place(e: Evidence, example: Example, name: str, by: str, mask: Array, measure: Array) -> bool:
    """Do the same where arrays have shapes of their own: one element is moved to the edge, by halves."""
    case, outside = example.case, np.unravel_index(int(np.argmin(np.where(mask, measure, np.inf))), mask.shape)
    far = case.inputs[by][outside]
    near, sharp = np.sign(far * measure[outside]) * measure[~mask].max(), True
    for _ in range(_HALVES):
        moved = case.inputs[by].copy()
        moved[outside] = middle = (near + far) / 2
        found = e.look(replace(case, inputs={**case.inputs, by: moved}))
        if found is None:
            return True
        wrong = name in found.wrong and bool(found.wrong[name][outside])
        near, far = (near, middle) if wrong else (middle, far)
        if wrong:
            off = np.abs(found.got[name] - found.want[name])[outside]
            sharp = bool(off > _SHARP * found.allowed[name][outside])
    return sharp


def _stays(e: Evidence, example: Example, name: str, by: str, text: str) -> bool:
    """Whether other numbers are right below the edge and wrong beyond it, too: one draw may look so by chance."""

    def measured(case: Case) -> Array:
        x = case.inputs[by].astype(np.float64)
        return (-1 if text.startswith("-") else 1) * (np.abs(x) if "abs" in text else x)

    mask, measure = example.wrong[name], measured(example.case)
    edge, beyond = measure[~mask].max(), measure[mask].min()
    for n in range(_MORE):
        drawn = e.probe(e.dtype).case(f"more {n}", shape=shape_of(example.case), scale=_WIDER)
        inputs = {**example.case.inputs, by: drawn.inputs[by]}  # another input may say where the edge is
        found = e.look(replace(example.case, inputs=inputs)) if drawn.inputs[by].shape == mask.shape else None
        if found is None or found.got[name].shape != found.case.inputs[by].shape:
            continue
        wrong, there = found.wrong.get(name, np.zeros(found.got[name].shape, dtype=bool)), measured(found.case)
        shown = np.abs(found.want[name]) > _VANISHING * size(found.want[name])
        if (wrong & (there <= edge)).any() or (~wrong & shown & (there >= beyond)).any():
            return False
    return True


def _one_edge(e: Evidence, example: Example, name: str, by: str) -> str | None:
    """Say up to which number the gradient is right, if it is wrong from there on."""
    x, mask = example.case.inputs[by].astype(np.float64), example.wrong[name]
    size_of = np.abs(x)
    for measure, text in ((size_of, f"abs({by})"), (-size_of, f"-abs({by})"), (x, by), (-x, f"-{by}")):
        apart = mask.any() and not mask.all() and measure[mask].min() > measure[~mask].max()
        if apart and _jumps(e, example, name, by, mask, measure) and _stays(e, example, name, by, text):
            return f"right up to {text} = {measure[~mask].max():.4g}, wrong from {measure[mask].min():.4g}"
    return None


def _two_edges(e: Evidence, example: Example, name: str, by: str) -> str | None:
    """Say between which numbers all are right, if all are wrong below and above; several draws have enough of them."""
    right, wrong = [], []
    for n in range(_MORE + 1):
        drawn = e.probe(e.dtype).case(f"more {n}", shape=shape_of(example.case), scale=_WIDER).inputs[by]
        same = drawn.shape == example.case.inputs[by].shape
        found = e.look(replace(example.case, inputs={**example.case.inputs, by: drawn})) if n and same else example
        if found is None or found.got[name].shape != found.case.inputs[by].shape:
            return None
        mask, want = found.wrong.get(name, np.zeros(found.got[name].shape, dtype=bool)), found.want[name]
        x = wide(found.case.inputs[by])
        wrong.append(x[mask])
        right.append(x[~mask & (np.abs(want) > _VANISHING * size(want))])
    inside, outside = np.concatenate(right), np.concatenate(wrong)
    if inside.size < _MANY:
        return None
    low, high = float(inside.min()), float(inside.max())
    below, above = int((outside < low).sum()), int((outside > high).sum())
    apart = min(below, above) >= _SOME and below + above == outside.size
    x, mask = wide(example.case.inputs[by]), example.wrong[name]
    for sign, beyond in ((1, mask & (x > high)), (-1, mask & (x < low))) if apart else ():
        apart = apart and (not beyond.any() or _jumps(e, example, name, by, beyond, sign * x))
    return f"right for {by} from {low:.4g} to {high:.4g}, wrong below and above" if apart else None


def _by_a_rounded_factor(example: Example, name: str) -> bool:
    """Whether what is wrong is off by one factor, 1 to the digits of float32: a constant was rounded to them."""
    mask, want = example.wrong[name], example.want[name]
    with np.errstate(all="ignore"):
        off = example.got[name][mask] / want[mask] - 1
    little = bool(off.size and np.isfinite(off).all() and (np.abs(off) <= _ROUNDED).all())
    return little and bool(np.ptp(off) <= _SAME * np.abs(off).max())


@cause(
    rank=55,
    meant=SURROGATE,
    of_gradients=True,
)
def wrong_branch(e: Evidence) -> str | None:
    """Right for some numbers, wrong for others: beyond a threshold, or where two are equal.

    A branch (clipping, saturation, a large-x approximation) has another condition or another formula in the backward
    than in the forward. Inputs of ordinary size never come there. So it is with a condition that holds where a number
    equals a static or another input.
    """
    names = e.op.wrt
    cases = [e.example.case, *e.ordinary] if e.example else []
    for case in cases:
        example = e.look(case)
        if example is None or not example.wrong:
            continue
        name, mask = next(iter(example.wrong.items()))
        if _by_a_rounded_factor(example, name):
            return None
        right = ~mask & (np.abs(example.want[name]) > _VANISHING * size(example.want[name]))
        if not right.any():
            if np.any(example.want[name]):  # it is wrong wherever there is a gradient
                return None
            continue
        for by in names:
            x = case.inputs[by].astype(np.float64)
            if x.shape != mask.shape or not finite(example.got[name]):
                continue
            if edge := _one_edge(e, example, name, by) or _two_edges(e, example, name, by):
                return f"{edge}: {example.worst_of(name)}"
    return at_one_number(e) if e.example is None else None
