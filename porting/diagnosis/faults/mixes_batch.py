"""Rows that meet."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import reach


@cause(
    rank=47,
    torch="Keep the samples apart: sum over the axes of one sample, sum(-1, keepdim=True), not over all of them.",
    tf="Keep the samples apart: sum over the axes of one sample, tf.reduce_sum(…, -1, keepdims=True), not over all.",
)
def mixes_batch(e: Evidence) -> str | None:
    """The gradient of one sample depends on other samples of the batch.

    A sum, mean or maximum over everything where it should be over each sample. A batch of one is right.
    """
    reached = reach(e)
    if reached is None:
        return None
    got, want = reached
    extra, elementwise = got & ~want, want.sum() == 1
    if got.ndim < 2 or not (extra if elementwise else extra[1:]).any():  # its own sample's elements are another matter
        return None
    return f"the cotangent of the first element reaches {int(got.sum())} elements, should reach {int(want.sum())}"
