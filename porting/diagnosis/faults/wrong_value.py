"""The forward."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.wrong_output import factors_of_outputs, gradients_beside, wrong_output


@cause(
    rank=37,
    repair=gradients_beside,
    of_values=True,
)
def wrong_value(e: Evidence) -> str | None:
    """The forward computes another function.

    The values differ before any gradient does: another constant, default, axis or branch than on the other side.
    """
    found = wrong_output(e)
    return found.seen if found and not factors_of_outputs(e) else None  # which is `scaled_value`
