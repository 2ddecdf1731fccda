"""Where there is no derivative."""

import numpy as np

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=56,
    kind="kink convention",
    torch="Choose the same side: x > 0 or x >= 0; at a tie, split the cotangent as the other one does.",
    tf="Choose the same side: x > 0 or x >= 0; at a tie, split the cotangent as the other one does.",
    meant=ACCEPTED,
)
def kink_convention(e: Evidence) -> str | None:
    """At a kink or a tie the gradient follows another convention.

    There is no derivative there, so any number between the two slopes is defensible, but both sides have to choose the
    same one: zeros and ties are frequent in real data (masks, padding, clipped values).
    """
    found = e.finding("kinks") if e.clean else None
    if found and found.worst and np.isfinite(found.worst.got):
        return found.seen
    found = e.finding("special_values") if e.clean and not e.value_wrong else None
    if not (found and found.worst and np.isfinite(found.worst.got)):
        return None
    at = [x for n, x in found.worst.at.items() if n in e.op.wrt]
    tie = len(at) > 1 and len(set(at)) == 1
    return found.seen if tie or any(x == 0 for x in at) else None
