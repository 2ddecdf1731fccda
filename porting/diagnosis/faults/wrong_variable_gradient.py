"""The variable's gradient."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=98,
)
def wrong_variable_gradient(e: Evidence) -> str | None:
    """The gradient of a captured variable is not the derivative by it.

    What the gradient function returns for `variables` is handed to the optimizer as it is.
    """
    found = e.finding("variables")
    return found.seen if found and e.clean else None
