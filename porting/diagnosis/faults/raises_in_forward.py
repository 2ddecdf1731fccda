"""An error in the forward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=99,
    torch="See the line that the message names.",
    tf="See the line that the message names.",
)
def raises_in_forward(e: Evidence) -> str | None:
    """The forward raises an error.

    For ordinary inputs: nothing else could be checked.
    """
    return f"{e.raised} at {e.raised.where}" if e.raised and e.raised.stage == "forward" else None
