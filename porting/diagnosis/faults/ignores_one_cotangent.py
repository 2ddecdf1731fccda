"""One of several cotangents."""

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
        if got is not None and want is not None and alike(got, e.example.got) and not alike(want, e.example.want):
            said = f"another cotangent of output {k} changes nothing: {e.example.worst}"
            return f"{said}; --nondiff {k} compares it as a value"
    return None
