"""The order of the gradients."""

from itertools import combinations

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike


@cause(
    rank=30,
    torch="Return the gradients in the order of forward's arguments.",
    tf="Return the gradients in the order of the decorated function's arguments.",
)
def swapped_gradients(e: Evidence) -> str | None:
    """The gradients of two inputs are exchanged.

    Their number and shapes are right, so no framework complains.
    """
    for name, other in combinations(e.op.wrt, 2):
        example = e.example
        if example is None or example.got[name].shape != example.want[other].shape:
            continue
        crossed = {name: example.got[other], other: example.got[name]}
        if alike(crossed, {n: example.want[n] for n in crossed}):
            return f"what comes for {name} is the gradient of {other}, and the other way round"
    return None
