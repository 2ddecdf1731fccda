"""By name."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=97,
    alone=True,
    kind="portability",
)
def keyword_call(e: Evidence) -> str | None:
    """Called with keyword arguments, tf.custom_gradient is skipped without a word.

    Only positional tensors count as its inputs; for f(x=x) TensorFlow differentiates the body instead.
    """
    found = e.finding("keyword_call")
    return found.seen if found and e.clean else None
