"""No axes."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=88,
    alone=True,
)
def scalar_crash(e: Evidence) -> str | None:
    """Inputs without axes (0-d) raise an error.

    A loss, a temperature or a learned scale is a tensor without axes.
    """
    if not e.clean or e.op.contract.shapes:
        return None
    e.looked_at.add("shapes")  # which asks so too: of what other checks found this says nothing
    return e.raised_for(())
