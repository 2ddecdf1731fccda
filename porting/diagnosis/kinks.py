"""Whether what is wrong is wrong at a kink, where two conventions differ."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.parity.finding import Finding

_BESIDE: Final = 1e-3  # of the number, or of 1
_ANOTHER: Final = 0.01  # slope, of the larger one


def at_kink(e: Evidence, finding: Finding) -> bool:
    """Whether the worst element is at 0, at a tie or at a static, and there may be a kink: an oracle says where."""
    if finding.worst is None or not (e.op.contract.kinks or e.op.truth != "oracle"):
        return False
    at = [x for n, x in finding.worst.at.items() if n in e.op.wrt]
    settings = {abs(s) for s in e.op.settings({}).values() if isinstance(s, int | float)}
    if any(abs(x) in {0, *settings} for x in at) or (len(at) > 1 and len(set(at)) == 1):
        return True
    return between_two_slopes(e, finding)


def between_two_slopes(e: Evidence, finding: Finding) -> bool:
    """Whether the gradient is wrong at this number alone, and right beside it with another slope on either side."""
    worst = finding.worst
    if worst is None or e.op.truth == "oracle":
        return False
    base = e.probe(e.dtype).case("beside", shape=(3,))
    names = [*base.inputs, *(("dy",) if len(base.dy or ()) == 1 else ())]
    if e.op.contract.shapes or len(base.dy or ()) != 1 or not set(names) <= set(worst.at):
        return False
    here = {n: np.full(3, worst.at[n]) for n in names}
    dy = (here["dy"].astype((base.dy or ())[0].dtype),)
    for by in e.op.wrt:
        moved = {**here, by: here[by] + _BESIDE * max(1.0, abs(worst.at[by])) * np.array([-1, 0, 1])}
        inputs = {n: moved[n].astype(x.dtype) for n, x in base.inputs.items()}
        found = e.look(replace(base, inputs=inputs, dy=dy), rough=True)  # rounding crosses the kink: it would allow all
        if found is None:
            continue
        for name, mask in found.wrong.items():
            below, _, above = found.want[name]
            if list(mask) == [False, True, False] and abs(above - below) > _ANOTHER * max(abs(above), abs(below)):
                return True
    return False
