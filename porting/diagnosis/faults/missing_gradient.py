"""None instead of a gradient."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import size


@cause(
    rank=24,
    torch="Return the gradient at the input's place; None means zero to everyone upstream.",
    tf="Return the gradient; None means that the input has no influence, and is dropped by optimizers.",
    meant="Name the inputs that have a gradient: --contract wrt=x,y (Contract(wrt=('x', 'y'))).",
)
def missing_gradient(e: Evidence) -> str | None:
    """A gradient is None where it is not zero.

    None passes for zero in both frameworks, so nothing complains: the parameter just does not learn.
    """
    probe = e.probe(e.dtype)
    case = probe.case()
    outcome, want = probe.runner.run(case), e.truth(case)
    if outcome.raised or want is None:
        return None
    for name, g in zip(e.op.wrt, outcome.vjp, strict=True):
        if g is None and size(want[name]):
            return f"gradient of {name} is None; the true one reaches {size(want[name]):.4g}"
    return None
