"""0 times infinity."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example
from porting.diagnosis.experiments import in_places, not_finite, overflows, underflows


def _numbers(_: Evidence, example: Example) -> Arrays:
    """Put the true number where there is none."""
    return {name: np.where(np.isfinite(g), g, example.want[name]) for name, g in example.got.items()}


@cause(
    rank=58,
    repair=_numbers,
)
def zero_times_infinity(e: Evidence) -> str | None:
    """The gradient is NaN in places: zero times infinity.

    A factor of 0 (a mask, a where) meets a derivative that is infinite there, as that of sqrt, log or a norm at 0; 0
    times infinity is NaN, and one NaN spreads over the whole model.
    """
    found = not_finite(e)
    usual = e.raised is None and (e.example is None or in_places(e.example))
    if found is None or found.worst is None or not usual or found.has(quantity="value"):  # a NaN before any gradient
        return None
    return None if overflows(e, found) or underflows(e, found) else found.seen
