"""Cotangents of a mean over a million elements, and of a loss that is scaled up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from porting.dtypes import wide
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Case, Outcome

Array: TypeAlias = np.ndarray[Any, Any]
Gradients: TypeAlias = Sequence[Array | None]

_ROUGH: Final = 1e-3  # of the largest element
_OTHER: Final = "not compared with {}, whose gradient is not in proportion to the cotangent, for cotangents times 2^{}"
_POWERS: Final = (-40, 40)  # of 2, so that nothing is rounded; float16 goes from -24 to 16


@check(once=True)
def cotangent_sizes(probe: Probe) -> None:
    """For cotangents 2^-40 and 2^40 times as large as ordinary ones, the gradients equal the oracle's."""
    if probe.dtype == "float16":
        raise NotApplicableError("float16 has no numbers of these sizes")
    case = probe.case()
    for power in _POWERS:
        scaled = replace(case, dy=tuple((2.0**power * v).astype(v.dtype) for v in case.dy or ()))
        outcome = probe.run(scaled, "scaled", power=power)
        if outcome is None:
            return
        if _is_scaled_here_alone(probe, case, scaled, outcome, power):
            probe.note, probe.excused = (
                _OTHER.format(probe.who, power),
                probe.excused + sum(v.size for v in scaled.dy or ()),
            )
            continue
        least = [case] if _has_more_terms(probe, case, scaled) else []
        probe.expect_vjp(scaled, outcome, how="scaled", least=least, power=power)


def _is_scaled_here_alone(probe: Probe, case: Case, scaled: Case, outcome: Outcome, power: int) -> bool:
    """Whether a side grows with the cotangents and the one that it is compared with does not: that one is accused."""
    if probe.op.truth in {"oracle", probe.runner.key} or probe.op.memory is not None:
        return False
    mine = probe.runner.run(case).vjp, outcome.vjp
    theirs = probe.truth(case).vjp, probe.truth(scaled).vjp
    return _are_scaled(*mine, 2.0**power) and not _are_scaled(*theirs, 2.0**power)


def _has_more_terms(probe: Probe, case: Case, scaled: Case) -> bool:
    """Whether the truth's gradient has terms that do not shrink with the cotangents: they lose digits as ever."""
    if probe.op.truth == "oracle":
        return False
    usual, found = (max((_peak(dx) for dx in probe.truth(c).vjp), default=0.0) for c in (case, scaled))
    return _ROUGH * usual < found < usual


def _are_scaled(usual: Gradients, scaled: Gradients, factor: float) -> bool:
    """Whether gradients are in proportion where they are numbers; one that is never a number is for other checks."""
    pairs = [(wide(a), wide(b)) for a, b in zip(usual, scaled, strict=False) if a is not None and b is not None]
    return all(_is_scaled(a, b, factor) for a, b in pairs)


def _peak(dx: Array | None) -> float:
    """Return the largest number of a gradient; 0 of none."""
    numbers = np.zeros(0) if dx is None else np.abs(wide(dx))
    return float(numbers[np.isfinite(numbers)].max(initial=0.0))


def _is_scaled(a: Array, b: Array, factor: float) -> bool:
    with np.errstate(all="ignore"):
        near = np.abs(b - factor * a) <= _ROUGH * factor * np.abs(a[np.isfinite(a)]).max(initial=0.0)
        return bool((near | ~(np.isfinite(a) | np.isfinite(b))).all())
