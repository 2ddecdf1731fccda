"""Bad input."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=97,
    alone=True,
)
def wrong_refusal(e: Evidence) -> str | None:
    """What the op cannot do is not refused, or with another error than on the other side.

    A port is finished when the code around it can rely on the same exception; a wrong static that is taken without a
    word gives wrong numbers.
    """
    found = e.finding("refusals")
    return found.seen if found and e.clean else None
