"""Forward mode."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=92,
    alone=True,
)
def wrong_jvp(e: Evidence) -> str | None:
    """The Jacobian-vector product of forward mode is not that of the gradient.

    Forward mode has a formula of its own, which the backward does not prove.
    """
    found = e.finding("jvp", "differs")
    return found.seen if found and e.clean else None
