"""What is saved, gone."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=17,
    alone=True,
)
def saved_used_up(e: Evidence) -> str | None:
    """A second backward through the same graph raises: what it needs is freed or used up by the first.

    With retain_graph=True, or a persistent tape, the backward runs more than once on what the forward saved. A graph
    or a tape that the backward asks inside is freed when it is asked, unless it is told to stay.
    """
    found = e.finding("retained", "raised", how="retained")  # what the first one raises is said without it
    return found.what if found else None
