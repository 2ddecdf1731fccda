"""Nothing at all."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=87,
    alone=True,
)
def empty_crash(e: Evidence) -> str | None:
    """Inputs without elements raise an error.

    The last batch of an epoch, a filter that nothing passes: empty tensors occur in real runs.
    """
    if not e.clean:
        return None
    e.looked_at.add("shapes")  # which asks so too: of what other checks found this says nothing
    crashes = ((empty, full) for empty, full in (((3, 0, 2), (3, 4, 2)), ((0,), (5,))) if not e.raised_for(full))
    return next((said for empty, _ in crashes if (said := e.raised_for(empty))), None)
