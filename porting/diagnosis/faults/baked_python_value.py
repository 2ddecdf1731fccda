"""Baked into the trace."""

from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.parity.sides import is_within

_ROUNDINGS: Final = 1e-6


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
    if found is None or is_within(found, _ROUNDINGS):  # of float32: no Python value is that near to another one
        return None
    return found.seen if e.clean else None
