"""Complex numbers."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike, size
from porting.diagnosis.in_complex import complex_constant, turned_in_complex
from porting.diagnosis.own_in_complex import is_own_in_complex
from porting.parity.checks.complex_numbers import complex_case


@cause(
    rank=49,
    of_gradients=True,
)
def missing_conjugate(e: Evidence) -> str | None:
    """For complex numbers the conjugate of the derivative is missing.

    Both frameworks hand out the gradient for descent, the conjugate of the derivative; for real numbers there is no
    difference. (JAX has the other convention.)
    """
    if e.example is not None:
        return _in_two_parts(e)
    found = e.finding("complex_numbers")
    if not found or not e.clean or complex_constant(e) or turned_in_complex(e) or is_own_in_complex(e):
        return None
    return found.seen if e.takes_real or _is_mended(e) else None


def _is_mended(e: Evidence) -> bool:
    """Whether the conjugates of cotangent and gradient give what is wrong as it should be: one that lacks one does."""
    case = complex_case(e.probe(e.dtype))
    got, turned, want = e.ask(case), e.ask(case, [np.conj(v) for v in case.dy or ()]), e.truth(case)
    if not got or not turned or not want:
        return False
    wrong = [n for n in want if not alike({n: got[n]}, {n: want[n]})]
    return bool(wrong) and alike({n: np.conj(turned[n]) for n in wrong}, want)


def _in_two_parts(e: Evidence) -> str | None:
    """Say so of complex numbers in two parts: what one part gives the other is wrong in its sign, and only that."""
    if len(e.op.wrt) != 2 or e.example is None or len(e.example.case.dy or ()) != 2:
        return None
    case, dy = e.example.case, e.cotangents("parts")
    for k in range(2):
        alone = [v if j == k else np.zeros_like(v) for j, v in enumerate(dy)]
        got, want = e.ask(case, alone), e.truth(case, alone)
        same, across = e.op.wrt[k], e.op.wrt[1 - k]
        if got is None or want is None or not size(want[across]) or not alike({same: got[same]}, {same: want[same]}):
            return None
        if not alike({across: -got[across]}, {across: want[across]}):
            return None
    return f"{e.example.worst}: the sign between the two parts of complex numbers, both ways"
