"""The place of a gradient."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=31,
    of_gradients=True,
)
def wrong_slot(e: Evidence) -> str | None:
    """With some inputs only requiring a gradient, gradients come at the wrong place or not at all.

    The backward leaves out what is not needed and so shifts what follows, or looks at the wrong flag.
    """
    found = e.finding("subsets", how="some inputs")
    return found.seen if found and e.clean else None
