"""No axes."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=88,
    alone=True,
    torch="Do not index or name an axis that may not be there: x.sum() instead of x.sum(0), x[..., :1] needs one axis.",
    tf="Do not index or name an axis that may not be there: tf.reduce_sum(x) instead of axis=0.",
)
def scalar_crash(e: Evidence) -> str | None:
    """Inputs without axes (0-d) raise an error.

    A loss, a temperature or a learned scale is a tensor without axes.
    """
    return e.raised_for(()) if e.clean and not e.op.contract.shapes else None
