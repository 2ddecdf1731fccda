"""The place of a gradient."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=31,
    of_gradients=True,
)
def wrong_slot(e: Evidence) -> str | None:
    """With some inputs only requiring a gradient, the backward raises, or one is missing, misplaced, or another number.

    The backward leaves out what is not needed and so shifts what follows, or looks at the wrong flag; or it asks
    ``torch.autograd.grad`` for the gradient of a parameter that is frozen, which raises; or the function captures a
    tensor that hangs on an input, and a second path to it is open.
    """
    found = e.finding("subsets", how="some inputs")
    return found.seen if found and e.clean else None
