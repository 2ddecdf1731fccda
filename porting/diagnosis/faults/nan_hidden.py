"""A NaN that is gone."""

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=85,
    meant=ACCEPTED,
)
def nan_hidden(e: Evidence) -> str | None:
    """A NaN is turned into a number.

    Training goes on with a wrong gradient instead of stopping where the fault is.
    """
    found = e.said("nan_hidden")
    return found.seen if found and e.example is None and e.raised is None else None
