"""An error in the forward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=98,
    alone=True,
)
def raises_in_forward(e: Evidence) -> str | None:
    """The forward raises an error, or does not return tensors.

    For ordinary inputs: nothing else could be checked.
    """
    if alone := e.said("no_truth", stage="forward"):  # a side that is its own truth: no experiment is possible
        return alone.what
    if e.raised:
        return f"{e.raised} at {e.raised.where}" if e.raised.stage == "forward" else None
    found = e.said("raised", stage="forward") if e.clean and not e.differs_in(e.dtype) else None  # in another type only
    return found.seen if found else None
