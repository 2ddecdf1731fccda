"""Bad input."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=97,
    alone=True,
    torch="Check statics and shapes before Function.apply, and raise what the oracle raises: an assert disappears with "
    "python -O.",
    tf="Check statics and shapes in Python, before tf.custom_gradient, and raise what the oracle raises: "
    "tf.debugging.assert_* raises another error, and XLA leaves it out.",
)
def wrong_refusal(e: Evidence) -> str | None:
    """What the op cannot do is not refused, or with another error than on the other side.

    A port is finished when the code around it can rely on the same exception; a wrong static that is taken without a
    word gives wrong numbers.
    """
    found = e.finding("refusals")
    return found.seen if found and e.clean else None
