"""No graph."""

from porting.diagnosis.cause import ORDER, cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=83,
    meant=ORDER,
)
def detached(e: Evidence) -> str | None:
    """The second derivative is cut off: to the framework the gradient is a constant.

    The first gradient is right. Something in the backward leaves the graph, so that differentiating it again gives
    zero or None instead of an error: meta-learning and gradient penalties then train on nothing.
    """
    found = e.finding("second_order", "detached") if e.clean else None
    return found.seen if found else None
