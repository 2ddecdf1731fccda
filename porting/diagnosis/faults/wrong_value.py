"""The forward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=37,
    torch="Compare the forward with the true formula, constants and defaults first.",
    tf="Compare the forward with the true formula, constants and defaults first.",
)
def wrong_value(e: Evidence) -> str | None:
    """The forward computes another function.

    The values differ before any gradient does: another constant, default, axis or branch than on the other side.
    """
    found = e.finding("value", "differs")
    belongs = e.example is None or not e.differs("adjoint")  # the gradient is that of this forward, or the right one
    return found.seen if found and belongs and e.raised is None else None
