"""Where a function is not defined for all numbers that are drawn, so that a check has nothing to compare."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from porting.pairs.array import Array
from porting.pairs.pair import Pair
from porting.parity.probe import Probe
from porting.runners import Case

_DOMAINS: Final = ((0.1, 10.0), (-0.9, 0.9), (0.1, 0.9), (1.1, 10.0))
# How near the ends of a domain numbers are: a draw alone may leave them out.
_STEEP: Final = (1.0, 40.0, -40.0)
Numbers = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Undefined:
    """What was found.

    Attributes
    ----------
    said : str
        That a side has no finite value for some of the numbers.
    within : mapping of str to tuple of float
        A domain of each input, in all of which it has; empty if none was found.
    flags : str
        What to type.
    """

    said: str
    within: Mapping[str, tuple[float, float]]
    flags: str

    def __str__(self) -> str:
        """Return it with what to type."""
        return f"{self.said}; say where it is defined, as in {self.flags}"


def undefined(probe: Probe) -> Undefined | None:
    """Return that a side has no finite value for some of the numbers; nothing if that is not so."""
    case, op = probe.case(), probe.op
    free = _free(probe)
    bad, total = _not_finite(probe, case)
    if not (bad and free):
        return None
    said = f"{bad} of {total} outputs are not finite for numbers of any sign and size"
    kind = "float32" if op.narrow else "float64"
    found = _domain(probe, case)
    if found is None:
        return Undefined(said, {}, f'--input "{free[0]}={kind}{{LOW..HIGH}}"')
    shapes = {n: ",".join("..." if k is ... else str(k) for k in op.contract.shapes.get(n, (...,))) for n in free}
    flags = " ".join(f'--input "{n}={kind}[{shape}]{{{found[0]}..{found[1]}}}"' for n, shape in shapes.items())
    return Undefined(said, dict.fromkeys(free, found), flags)


def defined(probe: Probe, case: Case) -> Case:
    """Return a case with its numbers where the function is defined, if it is not for some of them."""
    if not _not_finite(probe, case)[0] or not _free(probe) or (found := _domain(probe, case)) is None:
        return case
    return replace(case, inputs={**case.inputs, **_inside(probe, case, *found)})


def restricted(pair: Pair, probe: Probe, within: Mapping[str, tuple[float, float]]) -> Pair:
    """Return a pair whose inputs are drawn from domains."""
    shapes = probe.op.contract.shapes
    given = {n: pair.inputs.get(n) or Array(shapes.get(n, (...,)), "float64", None) for n in probe.op.inputs}
    return replace(pair, inputs={n: replace(array, domain=within.get(n, array.domain)) for n, array in given.items()})


def _free(probe: Probe) -> list[str]:
    contract = probe.op.contract
    return [n for n in probe.op.wrt if n not in {*contract.domain, *contract.prepare, *probe.op.integer_types}]


def _domain(probe: Probe, case: Case) -> tuple[float, float] | None:
    """Return the first of some domains in which all outputs are finite, at its ends too."""
    for low, high in _DOMAINS:
        within = [_inside(probe, case, low, high, steep) for steep in _STEEP]
        seen = [_not_finite(probe, replace(case, inputs={**case.inputs, **inputs})) for inputs in within]
        if all(total and not bad for bad, total in seen):
            return low, high
    return None


def _inside(probe: Probe, case: Case, low: float, high: float, steep: float = 1.0) -> Numbers:
    with np.errstate(over="ignore"):
        return {
            n: (low + (high - low) / (1 + np.exp(-steep * x))).astype(x.dtype)
            for n in _free(probe)
            for x in [case.inputs[n]]
            if x.dtype.kind == "f"
        }


def _not_finite(probe: Probe, case: Case) -> tuple[int, int]:
    """Return how many outputs are not finite, and of how many."""
    value = probe.runner.run(replace(case, dy=None, ddx=None)).value
    floating = [np.asarray(y) for y in value if np.asarray(y).dtype.kind in "fc"]
    return sum(int((~np.isfinite(y)).sum()) for y in floating), sum(y.size for y in floating)
