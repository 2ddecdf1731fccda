"""An output that nobody uses."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=89,
    alone=True,
    of_gradients=True,
)
def undefined_cotangent(e: Evidence) -> str | None:
    """The backward fails, or is wrong, when only some of the outputs are used.

    The cotangent of an unused output is None where set_materialize_grads(False) was called, and zeros elsewhere.
    """
    found = e.finding("single_outputs")
    return found.seen if found and e.clean else None
