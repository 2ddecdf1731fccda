"""Baked into the trace."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=94,
    alone=True,
)
def baked_python_value(e: Evidence) -> str | None:
    """A Python value was read when the function was traced, and stays as it was then.

    Eager mode reads it at each call. In a tf.function the second call, or a changed setting, has no effect.
    """
    found = e.finding("python_state") or e.finding("traced", "differs", how="function")
    found = found or e.finding("traced", "differs", how="function again")
    return found.seen if found and e.clean else None
