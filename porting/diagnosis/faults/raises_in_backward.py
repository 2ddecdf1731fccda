"""An error in the backward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=99,
    alone=True,
)
def raises_in_backward(e: Evidence) -> str | None:
    """The backward raises an error.

    For ordinary inputs: the forward's values are right, its gradient could not be had.
    """
    if e.raised and not e.raising():  # where it does not raise, in a graph say, it explains no number
        return None
    if e.raised and e.raised.stage == "backward":
        return f"{e.raised} at {e.raised.where}"
    if e.raised:
        found = e.said("raised", stage="backward")  # in another type
        return found.seen if found else None
    found = e.finding("shapes", "raised", stage="backward", how="") if e.clean else None  # for so many axes
    if found is None and e.clean and not e.differs_in(e.dtype):  # in another type only
        found = e.said("raised", stage="backward")
    return found.seen if found else None
