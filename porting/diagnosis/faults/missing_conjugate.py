"""Complex numbers."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=91,
)
def missing_conjugate(e: Evidence) -> str | None:
    """For complex numbers the conjugate of the derivative is missing.

    Both frameworks hand out the gradient for descent, the conjugate of the derivative; for real numbers there is no
    difference. (JAX has the other convention.)
    """
    found = e.finding("complex_numbers")
    return found.seen if found and e.clean else None
