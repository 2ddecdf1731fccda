"""0 times infinity, and a division by 0."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example
from porting.diagnosis.experiments import divides_by_a_difference, in_places, not_finite, overflows, underflows
from porting.diagnosis.kinks import divides_by_zero, has_no_value
from porting.parity.finding import Finding
from porting.parity.sides import FINITE


def _numbers(_: Evidence, example: Example) -> Arrays:
    """Put the true number where there is none."""
    return {name: np.where(np.isfinite(g), g, example.want[name]) for name, g in example.got.items()}


def _where_an_input_is_zero(e: Evidence) -> Finding | None:
    """Return what `finite` finds of a side at 0."""
    found = (f for r in e.results if r.check == FINITE for f in r.findings if f.has(number=0.0))
    finding = next(found, None)
    if finding is not None:
        e.looked_at.add(FINITE)
    return finding


@cause(
    rank=58,
    repair=_numbers,
)
def zero_times_infinity(e: Evidence) -> str | None:
    """The gradient is NaN or infinite in places: zero times infinity, or a division by zero.

    A factor of 0 (a mask, a where) meets a derivative that is infinite there, as that of sqrt, log or a norm at 0; 0
    times infinity is NaN, and one NaN spreads over the whole model. So does a quotient by 0. Where the forward is not
    finite either, more is wrong than the gradient.
    """
    found = not_finite(e)
    at_zero = _where_an_input_is_zero(e)
    if at_zero and not {r.check for r in e.results if r.status == "differ"} - {FINITE, "whole_range"}:
        return at_zero.seen
    usual = e.raised is None and (e.example is None or in_places(e.example))
    if found is None or found.worst is None or not usual or found.has(quantity="value"):  # a NaN before any gradient
        return None
    if underflows(e, found) or has_no_value(e, found):
        return None
    far = overflows(e, found) and not (divides_by_zero(e, found) or divides_by_a_difference(e))
    return None if far else found.seen
