"""The gradient of the gradient."""

from porting.diagnosis.cause import ORDER, cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=84,
    meant=ORDER,
)
def wrong_second_order(e: Evidence) -> str | None:
    """The second derivative is wrong.

    The first gradient is right, and its own gradient is not: a hand-written second formula, or a part of the backward
    that is differentiated in another way than it computes.
    """
    found = e.finding("second_order", "differs") if e.clean else None
    return found.seen if found else None
