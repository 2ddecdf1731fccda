"""What is saved, in place."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=17,
    alone=True,
)
def overwrites_saved(e: Evidence) -> str | None:
    """A second backward through the same graph gives another gradient: saved values are changed.

    With retain_graph=True, or a persistent tape, the backward runs more than once on what the forward saved.
    """
    if e.finding("repeated", "changes"):  # random numbers are others each time
        return None
    again = e.finding("retained", truth="first")  # what is wrong of the first one too does not matter
    if again is not None:
        return again.seen
    found = e.finding("inputs_unchanged", "overwritten", name="y")
    return found.seen if found and e.clean else None
