"""At a kink there is no derivative, so there is a convention; both twins keep the oracle's."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import as_dtype, unit_roundoff
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import Case

_BESIDE: Final = 8  # units of rounding
_JUMP: Final = 1e-3  # of the largest output, within so little


@check()
def kinks(probe: Probe) -> None:
    """Exactly at each declared kink, value and gradient follow the oracle's stated convention."""
    if not probe.op.contract.kinks:
        raise NotApplicableError("the contract declares no kinks")
    probe.kind = "kink convention"
    for base, name, place in _places(probe):
        wanted = np.broadcast_to(np.asarray(place, dtype=np.float64), base.inputs[name].shape)
        at = wanted.astype(as_dtype(probe.dtype))
        inexact = at.astype(np.float64) != wanted
        probe.excused += int(inexact.sum())
        if inexact.all():
            continue
        case = probe.case("kinks", statics=base.statics, inputs={**base.inputs, name: at})
        outcome = probe.run(case)
        if outcome is None:
            return
        if callable(probe.op.contract.kinks[name]):
            inexact = inexact | _undecided(probe, case, name)
        beside = [] if _follows(probe, case, name) else [_moved(probe, case, name, sign) for sign in (-1, 1)]
        probe.expect_value(case, outcome, excused=inexact, beside=beside)
        probe.expect_vjp(case, outcome, excused=inexact, beside=beside)
    if not probe.compared:
        raise NotApplicableError(f"{probe.dtype} can represent none of the declared kinks exactly")


def _undecided(probe: Probe, case: Case, name: str) -> Array:
    """Mark where the output jumps at a place that follows from the other inputs: rounding decides on its side."""
    x, at = case.inputs[name], probe.truth(case).value
    jumps = np.zeros(x.shape, dtype=bool)
    for sign in (-1, 1):
        there = probe.truth(_moved(probe, case, name, sign)).value
        for y, other in zip(at, there, strict=True):
            if y.shape == x.shape:
                jumps |= np.abs(y - other) > _JUMP * np.abs(y).max(initial=1.0)
    others = [
        np.broadcast_to(v != 0, x.shape) for n, v in case.inputs.items() if n != name and v.shape in {x.shape, ()}
    ]
    return jumps & np.any(others, axis=0) if others else np.zeros_like(jumps)


def _moved(probe: Probe, case: Case, name: str, sign: int) -> Case:
    """Return the case beside a kink, so far from it that no rounding error leads back."""
    x = case.inputs[name]
    beside = (x.astype(np.float64) * (1 + sign * _BESIDE * unit_roundoff(probe.dtype))).astype(x.dtype)
    return probe.case("kinks", statics=case.statics, inputs={**case.inputs, name: beside})


def _follows(probe: Probe, case: Case, name: str) -> bool:
    """Whether a kink's place is computed from other inputs that are not 0, so that rounding may decide on its side."""
    others = (x.any() for n, x in case.inputs.items() if n != name)
    return callable(probe.op.contract.kinks[name]) and any(others)


def _places(probe: Probe) -> Iterator[tuple[Case, str, Any]]:
    """Yield a case, an input and where it has a kink; where that depends on the others, with the others at 0 as well.

    A kink at a + 0.1 is hardly ever met exactly, for a + 0.1 is rounded: at 0 + 0.1 it is.
    """
    for statics in probe.variants():
        drawn = probe.case("kinks", statics=statics)
        for name, kink in probe.op.contract.kinks.items():
            others = {n: x if n == name else np.zeros_like(x) for n, x in drawn.inputs.items()}
            for base in [drawn, *([replace(drawn, inputs=others)] if callable(kink) else [])]:
                yield from ((base, name, place) for place in probe.kinks(base.inputs, base.statics)[name])
