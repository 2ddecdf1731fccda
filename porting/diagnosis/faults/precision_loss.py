"""Digits lost."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import size
from porting.diagnosis.experiments import few_digits, finite, narrow_numbers


@cause(
    rank=36,
    kind="precision",
    torch="Stay in the input's type (no .float(), no torch.tensor(0.1) of another type), and use expm1, log1p, "
    "logsigmoid.",
    tf="Stay in the input's type (no tf.cast to float32), and use tf.math.expm1, tf.math.log1p, tf.math.log_sigmoid.",
)
def precision_loss(e: Evidence) -> str | None:
    """The formula is right, but digits are lost on the way.

    A computation in a narrower type inside a wider one, a constant of a narrower type, or the difference of two large
    numbers that are nearly the same. In float32 the second hides behind the type's own rounding: compare with
    float64.
    """
    if e.dtype == "float64":
        value = e.finding("value")
        if value and value.worst and few_digits(value):
            return f"{value.worst}"
        for name, mask in (e.example.wrong if e.example else {}).items():
            assert e.example  # noqa: S101 - for the type checker
            got, want = e.example.got[name], e.example.want[name]
            if not finite(got):
                return None
            error = size(got - want) / max(size(want), 1e-300)
            with np.errstate(all="ignore"):
                ratio = got[mask] / want[mask]
            constant = np.ptp(ratio) < 0.05 * np.abs(ratio - 1).min()
            if (error < 1e-5 or narrow_numbers(got)) and error < 0.02 and not (constant and mask.sum() > 3):
                return f"{e.example.worst}: off by {error:.1e} of the largest element, as in float32 or narrower"
        if e.example is not None or e.value_wrong:
            return None
    found = e.narrow_finding
    return f"right in float64, in {found[0]} {found[1].worst}" if found else None
