"""The order of the gradients."""

from itertools import combinations

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, alike


def _exchanged(e: Evidence) -> tuple[str, str] | None:
    for name, other in combinations(e.op.wrt, 2):
        example = e.example
        if example is None or example.got[name].shape != example.want[other].shape:
            continue
        crossed = {name: example.got[other], other: example.got[name]}
        if name not in example.wrong and other not in example.wrong:
            continue
        want = {n: example.want[n] for n in crossed}
        if alike(crossed, want) and not alike({n: example.got[n] for n in crossed}, want):
            return name, other
    return None


def _back(e: Evidence, example: Example) -> Arrays | None:
    pair = _exchanged(e)
    if pair is None or example.got[pair[0]].shape != example.got[pair[1]].shape:
        return None
    return {**example.got, pair[0]: example.got[pair[1]], pair[1]: example.got[pair[0]]}


@cause(
    rank=30,
    repair=_back,
)
def swapped_gradients(e: Evidence) -> str | None:
    """The gradients of two inputs are exchanged.

    Their number and shapes are right, so no framework complains.
    """
    pair = _exchanged(e)
    return f"what comes for {pair[0]} is the gradient of {pair[1]}, and the other way round" if pair else None
