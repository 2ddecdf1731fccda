"""Forward mode."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=92,
    alone=True,
)
def wrong_jvp(e: Evidence) -> str | None:
    """The jvp is not that of the oracle.

    Forward mode has a formula of its own, which the backward does not prove.
    """
    found = e.finding("jvp")
    return found.seen if found and e.clean else None
