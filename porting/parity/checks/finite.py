"""Gradients that are not finite, where nobody else says where they are."""

from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np

from porting.numeric import samples
from porting.parity.cases import with_number
from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import Case

_STEPS: Final = (1e-4, 1e-4 / 16)
_GROWS: Final = 4.0  # a slope that is infinite grows 16 times, that of a cube root 6 times


@check(runners=TWINS, once=True)
def finite(probe: Probe) -> None:
    """At 0 and tiny, 1/2 to 6, 30, 95, 720 of both signs the gradient is finite where the forward's slopes are."""
    if probe.op.truth == "oracle":
        raise NotApplicableError("the oracle says where it is finite: special_values compares with it")
    base = probe.case("finite")
    numbers = chain.from_iterable(samples.special_values(probe.dtype))
    for name, number in ((n, float(x)) for x in numbers for n in probe.op.wrt):
        if not (probe.takes(name, number) and base.inputs[name].size):
            continue
        case = _at(base, name, number)
        outcome = probe.run(case, "at", of_input=name, number=number)
        if outcome is None:
            return
        broken = any(g is not None and not np.isfinite(g).all() for g in outcome.vjp)
        if broken and not _smooth(probe, case, name):
            continue
        said: dict[str, Any] = {"quantity": "gradient", "name": name, "how": "at", "of_input": name, "number": number}
        probe.fact(not broken, "not_finite", **said)


def _at(case: Case, name: str, number: float) -> Case:
    """Return the case with another number as the first element of an input."""
    return replace(case, inputs={**case.inputs, name: with_number(case.inputs[name], number, case.dtype)})


def _smooth(probe: Probe, case: Case, name: str) -> bool:
    """Whether the forward is finite there and beside, and its slope does not grow as one comes nearer."""
    number = float(case.inputs[name].reshape(-1)[0])
    slopes = []
    with np.errstate(all="ignore"):
        for step in _STEPS:
            h = step * max(1.0, abs(number))
            ahead, behind = (_value(probe, _at(case, name, number + s * h)) for s in (1, -1))
            slopes.append(np.abs(ahead - behind) / (2 * h))
        here = _value(probe, case)
        steady = slopes[1] <= _GROWS * np.maximum(slopes[0], 1e-3)
    return bool(np.isfinite(here).all() and all(np.isfinite(s).all() for s in slopes) and steady.all())


def _value(probe: Probe, case: Case) -> Array:
    """Return all outputs in one row; NaN where the op raises."""
    outcome = probe.runner.run(replace(case, dy=None))
    if outcome.raised is not None:
        return np.full(1, np.nan)
    return np.concatenate([y.reshape(-1).astype(np.float64) for y in outcome.value] or [np.zeros(0)])
