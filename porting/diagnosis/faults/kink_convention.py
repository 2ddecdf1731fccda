"""Where there is no derivative."""

import numpy as np

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.kinks import at_kink, differs_along_a_tie, ignores_cotangent_at


@cause(
    rank=56,
    kind="kink convention",
    of_gradients=True,
    meant=ACCEPTED,
)
def kink_convention(e: Evidence) -> str | None:
    """At a kink or a tie the gradient follows another convention.

    There is no derivative there, so any number between the two slopes is defensible, but both sides have to choose the
    same one: zeros and ties are frequent in real data (masks, padding, clipped values).
    """
    found = e.finding("kinks") if e.clean else None
    if found and found.worst and np.isfinite(found.worst.got) and found.fields.get("quantity") != "value":
        return None if ignores_cotangent_at(e, found) else found.seen
    for check in ("special_values", "coincidences") if e.clean and not e.value_wrong else ():
        found = e.finding(check)
        of_gradient = found and found.fields.get("quantity") != "value"
        if found and of_gradient and found.worst and np.isfinite(found.worst.got) and at_kink(e, found):
            return None if ignores_cotangent_at(e, found) or differs_along_a_tie(e, found) else found.seen
    return None
