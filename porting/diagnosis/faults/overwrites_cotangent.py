"""The cotangent in place."""

from math import isfinite

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=16,
    alone=True,
    beside=True,
)
def overwrites_cotangent(e: Evidence) -> str | None:
    """The backward overwrites its cotangent in place.

    Autograd hands the same tensor to every branch that needs it: in f(x) + x the other branch gets the overwritten
    numbers.
    """
    found = e.said("overwritten", name="dy") or e.said("overwritten", name="dy0") or e.said("overwritten", name="dy1")
    kept = any((r.check, r.status) == ("inputs_unchanged", "agree") for r in e.results)  # to the last bit
    found = found or (e.finding("shared_cotangent") if e.clean and not kept else None)
    if found and found.worst and not isfinite(found.worst.got):  # the op's own NaN, whatever the cotangent is
        return None
    return found.seen if found else None
