"""The ends of a declared domain: a rounding error beside one is outside of it, where a side may raise."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from porting.runners import Case

Array = np.ndarray[Any, Any]


def ends_of(case: Case) -> dict[str, tuple[float, float]]:
    """Return the declared ends of each real input that is between them in a case."""
    found = {}
    for name, x in case.inputs.items():
        ends = case.op.contract.domain.get(name)
        if isinstance(ends, tuple) and not np.iscomplexobj(x) and bool(((x >= ends[0]) & (x <= ends[1])).all()):
            found[name] = ends
    return found


def kept_within(case: Case, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Return inputs that were moved from those of a case, with what has left the domain on its end."""
    ends = ends_of(case)
    return {name: np.clip(x, *ends[name]) if name in ends else x for name, x in inputs.items()}
