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
    return e.raised_for(()) if e.clean and not e.op.contract.shapes else None
