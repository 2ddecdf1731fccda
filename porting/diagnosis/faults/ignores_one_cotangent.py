"""One of several cotangents."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike


@cause(
    rank=41,
    meant="Say which outputs have no gradient: --nondiff 1 (Contract(nondiff=(1,))).",
    of_gradients=True,
)
def ignores_one_cotangent(e: Evidence) -> str | None:
    """The cotangent of one of several outputs is ignored.

    The gradient is right as long as nothing uses that output.
    """
    if e.example is None or len(e.example.case.dy or ()) < 2:
        return None
    dy, other = e.example.case.dy or (), e.cotangents("other")
    for k in range(len(dy)):
        changed = [other[j] if j == k else v for j, v in enumerate(dy)]
        got, want = e.ask(e.example.case, changed), e.truth(e.example.case, changed)
        if got is None or want is None or (e.op.truth != "oracle" and not _is_right_without(e, k)):
            continue
        if alike(got, e.example.got) and not alike(want, e.example.want):
            said = f"another cotangent of output {k} changes nothing: {e.example.worst}"
            return f"{said}; --nondiff {k} compares it as a value"
    return None


def _is_right_without(e: Evidence, k: int) -> bool:
    """Whether the gradient is right where nothing uses an output.

    Differences of an output of fine steps change with its cotangent, and prove nothing of what uses it.
    """
    assert e.example is not None  # noqa: S101 - asked for where there is one
    case = e.example.case
    alone = [np.zeros_like(v) if j == k else v for j, v in enumerate(case.dy or ())]
    got, want = e.ask(case, alone), e.truth(case, alone)
    return got is not None and want is not None and alike(got, want)
