"""An input in place."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=15,
    alone=True,
)
def overwrites_input(e: Evidence) -> str | None:
    """An input is overwritten in place.

    The caller's tensor changes, and every other use of it with it; autograd notices only if the tensor was saved and
    the change went past .data or NumPy.
    """
    for name in e.op.inputs:
        found = e.finding("inputs_unchanged", "overwritten", name=name)
        if found:
            return found.what
    return None
