"""Different each time."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=6,
    alone=True,
)
def random_backward(e: Evidence) -> str | None:
    """The same inputs give another result each time.

    The op draws random numbers, or depends on something that changes between calls (a counter, the time). The
    backward must use the very numbers that its forward used; drawn again, they belong to another function.
    """
    found = e.finding("repeated", "changes")
    return found.seen if found else None
