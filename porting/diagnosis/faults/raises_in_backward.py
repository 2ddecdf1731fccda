"""An error in the backward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=99,
    alone=True,
    torch="See the line that the message names. NumPy on a tensor that needs a gradient wants .detach() first.",
    tf="See the line that the message names.",
)
def raises_in_backward(e: Evidence) -> str | None:
    """The backward raises an error.

    For ordinary inputs: the forward's values are right, its gradient could not be had.
    """
    if e.raised:
        return f"{e.raised} at {e.raised.where}" if e.raised.stage == "backward" else None
    found = (
        e.said("raised", stage="backward") if e.clean and not e.differs_in(e.dtype) else None
    )  # in another type only
    return found.seen if found else None
