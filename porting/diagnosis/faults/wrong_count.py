"""The number of gradients."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=10,
    alone=True,
)
def wrong_count(e: Evidence) -> str | None:
    """The backward returns another number of gradients than there are inputs.

    PyTorch wants one per argument of forward, with None for what is not differentiated; TensorFlow one per tensor
    argument and none for the rest. An argument was added to one of the two and not to the other.
    """
    if e.raised is None:
        return None
    said = e.raised.message
    counted = "incorrect number of gradients" in said or ("expected to return" in said and "gradients" in said)
    return f"{e.raised} at {e.raised.where}" if counted else None
