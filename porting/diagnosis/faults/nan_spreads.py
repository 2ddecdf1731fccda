"""A NaN that spreads."""

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=86,
    kind="portability",
    meant=ACCEPTED,
)
def nan_spreads(e: Evidence) -> str | None:
    """A NaN reaches elements that have nothing to do with it.

    A mask that multiplies lets NaN through where one that chooses does not.
    """
    found = e.said("nan_spreads")
    return found.seen if found and e.example is None and e.raised is None else None
