"""A NaN that is gone."""

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import first_of


@cause(
    rank=85,
    meant=ACCEPTED,
)
def nan_hidden(e: Evidence) -> str | None:
    """A NaN is turned into a number.

    Training goes on with a wrong gradient instead of stopping where the fault is.
    """
    found = first_of("nan_hidden", e)
    return found.seen if found else None
