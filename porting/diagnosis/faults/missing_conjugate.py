"""Complex numbers."""

from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence

_SAME: Final = 1e-5


@cause(
    rank=91,
)
def missing_conjugate(e: Evidence) -> str | None:
    """For complex numbers the conjugate of the derivative is missing.

    Both frameworks hand out the gradient for descent, the conjugate of the derivative; for real numbers there is no
    difference. (JAX has the other convention.)
    """
    found = e.finding("complex_numbers")
    return found.seen if found and e.clean and not _is_factor(e) else None


def _is_factor(e: Evidence) -> bool:
    """Whether real and imaginary part are off by one factor, which is not the -1 of an imaginary derivative."""
    worst = [f.worst for f in e.findings("complex_numbers") if f.worst and f.worst.want]
    ratios = [w.got / w.want for w in worst]
    apart = max(ratios, default=0.0) - min(ratios, default=0.0)
    return len(ratios) > 1 and apart <= _SAME and abs(ratios[0] + 1) > _SAME
