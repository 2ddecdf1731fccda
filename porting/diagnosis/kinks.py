"""Whether what is wrong is wrong at a kink, where two conventions differ."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.parity.finding import Finding

_BESIDE: Final = 1e-3  # of the number, or of 1
_ANOTHER: Final = 0.01  # slope, of the larger one


def at_kink(e: Evidence, finding: Finding) -> bool:
    """Whether the worst element is at a kink: an oracle says where; of two sides the slopes beside it tell."""
    if finding.worst is None or not (e.op.contract.kinks or e.op.truth != "oracle"):
        return False
    at = [x for n, x in finding.worst.at.items() if n in e.op.wrt]
    settings = {abs(s) for s in e.op.settings({}).values() if isinstance(s, int | float)}
    likely = any(abs(x) in {0, *settings} for x in at) or (len(at) > 1 and len(set(at)) == 1)
    beside = list(_beside(e, finding))
    return any(s.jumps for s in beside) or not beside if likely else any(s.jumps and s.alone for s in beside)


def between_two_slopes(e: Evidence, finding: Finding) -> bool:
    """Whether the gradient is wrong at this number alone, and right beside it with another slope on either side."""
    return any(s.jumps and s.alone for s in _beside(e, finding))


class _Slopes(NamedTuple):
    """Whether the true gradient is another one on either side of a number, and whether only the one there is wrong."""

    jumps: bool
    alone: bool


def _beside(e: Evidence, finding: Finding) -> Iterator[_Slopes]:
    """Yield what is beside the worst element, by each input; nothing where that cannot be asked."""
    worst = finding.worst
    if worst is None or e.op.truth == "oracle" or e.op.contract.shapes:
        return
    base = e.probe(e.dtype).case("beside", shape=(3,))
    names = [*base.inputs, "dy"]
    if len(base.dy or ()) != 1 or not set(names) <= set(worst.at):
        return
    here = {n: np.full(3, worst.at[n]) for n in names}
    dy = (here["dy"].astype((base.dy or ())[0].dtype),)
    for by in e.op.wrt:
        moved = {**here, by: here[by] + _BESIDE * max(1.0, abs(worst.at[by])) * np.array([-1, 0, 1])}
        inputs = {n: moved[n].astype(x.dtype) for n, x in base.inputs.items()}
        found = e.look(replace(base, inputs=inputs, dy=dy), rough=True)  # rounding crosses the kink: it would allow all
        for name, want in found.want.items() if found else ():
            below, _, above = want
            wrong = list(found.wrong.get(name, ())) if found else []
            jumps = abs(above - below) > _ANOTHER * max(abs(above), abs(below))
            yield _Slopes(bool(jumps), wrong == [False, True, False])
