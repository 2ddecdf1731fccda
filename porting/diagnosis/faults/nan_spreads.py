"""A NaN that spreads."""

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import first_of


@cause(
    rank=86,
    kind="portability",
    meant=ACCEPTED,
)
def nan_spreads(e: Evidence) -> str | None:
    """A NaN reaches elements that have nothing to do with it.

    A mask that multiplies lets NaN through where one that chooses does not.
    """
    found = first_of("nan_spreads", e)
    return found.seen if found and not found.fields.get("itself") else None  # else it is where it is given
