"""Beyond the largest number."""

from math import isfinite

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import divides_by_a_difference, in_places, not_finite, overflows
from porting.diagnosis.kinks import divides_by_zero


@cause(
    rank=57,
    kind="precision",
    meant=ACCEPTED,
)
def overflow(e: Evidence) -> str | None:
    """The result is NaN or infinite for large inputs where the true one is an ordinary number.

    An intermediate result overflows: exp(x) in exp(x) / (1 + exp(x)) is infinite from x = 89 in float32, and infinity
    divided by infinity is NaN.
    """
    found = not_finite(e)
    # Asked of the results: what `Evidence.findings` yields counts as explained.
    of_vjp = (f for r in e.results if (r.check, r.status) == ("vjp", "differ") for f in r.findings)
    if any(f.code == "differs" and f.bad == f.total and f.worst and isfinite(f.worst.got) for f in of_vjp):
        return None  # it is wrong everywhere, whatever it is far out
    usual = e.raised is None and (e.example is None or in_places(e.example))
    if found is None or found.worst is None or not usual:
        return None
    if divides_by_zero(e, found) or divides_by_a_difference(e):
        return None
    return found.seen if overflows(e, found) else None
