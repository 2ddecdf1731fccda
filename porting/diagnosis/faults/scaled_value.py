"""A number too many, in the forward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.wrong_output import factors_of_outputs, gradients_beside, told, wrong_output


@cause(
    rank=37,
    repair=gradients_beside,
    of_values=True,
)
def scaled_value(e: Evidence) -> str | None:
    """An output is the true one times a constant.

    A scale, the 1/n of a mean, a 2 or a 1/2 was forgotten in the forward or counted twice.
    """
    return told(e, factors_of_outputs(e) if wrong_output(e) else {}) or None
