"""A sparse cotangent."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=96,
    alone=True,
)
def indexed_slices(e: Evidence) -> str | None:
    """The cotangent can be tf.IndexedSlices, and the gradient function cannot take it.

    tf.gather (an embedding lookup, an index on the output) sends one: dy * 2 raises, and 2 * dy happens to work.
    """
    found = e.finding("indexed_slices")
    return found.seen if found and e.clean else None
