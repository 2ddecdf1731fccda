"""Gradients that are not finite, where nobody else says where they are."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np

from porting.dtypes import unit_roundoff
from porting.numeric import samples
from porting.numeric.tolerance import peak
from porting.parity.cases import with_number
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import Case, Outcome

_STEP: Final = 1e-4  # the longer one of two
_SHORTER: Final = 16  # times shorter is the other one
_WIDE_STEP: Final = 1e-2  # of a narrower type: differences over shorter ones are rounding
_ROUNDINGS: Final = 16.0  # of an output, as rule R* has it: three outputs are in a difference of slopes
_GROWS: Final = 4.0  # a slope that is infinite grows 16 times, that of a cube root 6 times
_MANY: Final = 16  # elements of an array
_BEND: Final = 1e-2  # of the slopes, at least: less may be rounding


@check(once=True)
def finite(probe: Probe) -> None:
    """At 0, once of all elements, tiny, 1/2 to 6, 21, 30, 95, 720 the gradient is finite where the slopes are."""
    if probe.op.truth == "oracle":
        raise NotApplicableError("the oracle says where it is finite: special_values compares with it")
    base = probe.case("finite")
    numbers = chain.from_iterable(samples.special_values(probe.dtype))
    asked = [("at", n, float(x)) for x in numbers for n in probe.op.wrt]
    asked += [("throughout", n, 0.0) for n in probe.op.wrt]  # what a norm is divided by
    everyday = _broken(probe, probe.runner.run(base))
    told: set[str] = set()  # where one 0 is enough, more of them say nothing new
    for how, name, number in asked:
        if not (probe.takes(name, number) and base.inputs[name].size) or (how == "throughout" and name in told):
            continue
        case = _at(base, name, number) if how == "at" else _throughout(base, name, number)
        outcome = probe.run(case, "at", of_input=name, number=number) if how == "at" else probe.runner.run(case)
        if outcome is None:
            return
        if outcome.raised:  # of a matrix that is 0 nothing can be told
            continue
        broken = _broken(probe, outcome)
        said: dict[str, Any] = {"quantity": "gradient", "how": how, "of_input": name, "number": number}
        if not broken:
            probe.fact(True, "not_finite", name=name, **said)
        elif not all(_steady(_slopes(probe, case, name, k)) for k in _elements(case, how, name)):
            continue  # it ends there, or jumps
        for of, mask in broken.items():  # by an input that is an ordinary number, too
            place = int(mask.argmax())
            slopes = _slopes(probe, case, of, place)
            if not _steady(slopes):
                continue
            kink = _bent(slopes, _rounding(probe, case, of, place))
            itself = _by_itself(base, everyday, of, place)
            told |= {name} if not (number or itself) else set()
            probe.fact(False, "not_finite", name=of, kink=kink, **{**said, **itself})


def _broken(probe: Probe, outcome: Outcome) -> dict[str, Array]:
    """Return where a gradient is not finite, by the inputs of which it is not somewhere."""
    given = zip(probe.op.wrt, outcome.vjp, strict=False)
    found = {n: ~np.isfinite(g) for n, g in given if g is not None}
    return {n: mask for n, mask in found.items() if mask.any()}


def _by_itself(base: Case, everyday: Mapping[str, Array], name: str, place: int) -> dict[str, Any]:
    """Return what says of an ordinary number that the gradient is not finite there, whatever stands beside it."""
    mask = everyday.get(name)
    if mask is None or place >= mask.size or not mask.flat[place]:
        return {}
    return {"how": "at", "of_input": name, "number": float(base.inputs[name].flat[place])}


def _elements(case: Case, how: str, name: str) -> range:
    """Return by which elements the slopes are looked at: a matrix of zeros has some along which its factors jump."""
    return range(min(case.inputs[name].size, _MANY) if how == "throughout" else 1)


def _at(case: Case, name: str, number: float) -> Case:
    """Return the case with another number as the first element of an input."""
    return replace(case, inputs={**case.inputs, name: with_number(case.inputs[name], number, case.dtype)})


def _throughout(case: Case, name: str, number: float) -> Case:
    """Return the case with one number as all elements of an input."""
    return replace(case, inputs={**case.inputs, name: np.full_like(case.inputs[name], number)})


def _moved(case: Case, name: str, place: int, by: float) -> Case:
    """Return the case with an element of an input moved."""
    x = case.inputs[name].copy()
    x.flat[place] += by
    return replace(case, inputs={**case.inputs, name: x})


def _slopes(probe: Probe, case: Case, name: str, place: int) -> Array:
    """Return the forward's slopes by an element there, for each step those ahead and behind, in all outputs."""
    slopes = []
    with np.errstate(all="ignore"):
        here = _value(probe, case)
        step = _step(case, name, place)
        for h in (step, step / _SHORTER):
            ahead, behind = (_value(probe, _moved(case, name, place, s * h)) for s in (1, -1))
            slopes.append([(ahead - here) / h, (here - behind) / h])
    return np.stack([np.stack(two) for two in slopes])


def _steady(slopes: Array) -> bool:
    """Whether the forward is finite there and beside, and its slope does not grow as one comes nearer."""
    with np.errstate(all="ignore"):
        far, near = np.abs(slopes.mean(axis=1))
        return bool(np.isfinite(slopes).all() and (near <= _GROWS * np.maximum(far, 1e-3)).all())


def _bent(slopes: Array, rounding: float) -> bool:
    """Whether the slopes ahead and behind come no nearer to each other as one comes nearer: a kink.

    What rounding makes of equal outputs is none: a mean over a batch hangs on each element.
    """
    far, near = np.abs(np.diff(slopes, axis=1))[:, 0]
    least = np.maximum(_BEND * np.abs(slopes).max(axis=(0, 1)), rounding)
    return bool(((near > far / _GROWS) & (near > least)).any())


def _rounding(probe: Probe, case: Case, name: str, place: int) -> float:
    """Return how far the slopes of the shorter steps may be apart by rounding alone."""
    with np.errstate(all="ignore"):
        size = peak(_value(probe, case))
        return float(_ROUNDINGS * unit_roundoff(case.dtype) * size / (_step(case, name, place) / _SHORTER))


def _step(case: Case, name: str, place: int) -> float:
    """Return the longer one of two steps at a number."""
    return (_STEP if case.dtype == "float64" else _WIDE_STEP) * max(1.0, float(abs(case.inputs[name].flat[place])))


def _value(probe: Probe, case: Case) -> Array:
    """Return all outputs in one row; NaN where the op raises."""
    outcome = probe.runner.run(replace(case, dy=None))
    if outcome.raised is not None:
        return np.full(1, np.nan)
    return np.concatenate([y.reshape(-1).astype(np.float64) for y in outcome.value] or [np.zeros(0)])
