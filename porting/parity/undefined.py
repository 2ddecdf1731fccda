"""Where a function is not defined for all numbers that are drawn, so that a check has nothing to compare."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.parity.probe import Probe

_DOMAINS: Final = ((0.1, 10.0), (-0.9, 0.9), (0.1, 0.9), (1.1, 10.0))


def undefined(probe: Probe) -> str:
    """Return that a side has no finite value for some of the numbers, and what to type; nothing if that is not so."""
    case, op = probe.case(), probe.op
    free = [n for n in op.wrt if n not in {*op.contract.domain, *op.contract.prepare, *op.integer_types}]
    bad, total = _not_finite(probe, {})
    if not (bad and free):
        return ""
    said = f"{bad} of {total} outputs are not finite for numbers of any sign and size"
    for low, high in _DOMAINS:
        inside = {n: low + (high - low) / (1 + np.exp(-case.inputs[n])) for n in free}
        if _not_finite(probe, {n: x.astype(case.inputs[n].dtype) for n, x in inside.items()}) == (0, total):
            shapes = {
                n: ",".join("..." if k is ... else str(k) for k in op.contract.shapes.get(n, (...,))) for n in free
            }
            flags = " ".join(f'--input "{n}=float64[{shape}]{{{low}..{high}}}"' for n, shape in shapes.items())
            return f"{said}; say where it is defined, as in {flags}"
    return f'{said}; say where it is defined, as in --input "{free[0]}=float64{{LOW..HIGH}}"'


def _not_finite(probe: Probe, inputs: dict[str, np.ndarray]) -> tuple[int, int]:
    """Return how many outputs are not finite, and of how many."""
    case = probe.case()
    value = probe.runner.run(replace(case, inputs={**case.inputs, **inputs}, dy=None)).value
    floating = [np.asarray(y) for y in value if np.asarray(y).dtype.kind in "fc"]
    return sum(int((~np.isfinite(y)).sum()) for y in floating), sum(y.size for y in floating)
