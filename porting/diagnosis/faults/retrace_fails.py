"""Another shape in a graph."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=94,
    alone=True,
)
def retrace_fails(e: Evidence) -> str | None:
    """In a tf.function the op fails, or is wrong, for another shape or one that is not known when it is traced.

    The static shape of the first call was used as if it held for all, or is None; or a shape that is a tensor, known
    when the graph runs, went to what wants a static one.
    """
    found = e.finding("traced", how="function reshaped") or e.finding("traced", how="function any shape")
    return found.seen if found and e.clean else None
