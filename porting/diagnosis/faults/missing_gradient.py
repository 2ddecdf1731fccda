"""None or zeros instead of a gradient."""

import numpy as np

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
    """A gradient is None, or 0 throughout, where it is not zero.

    None passes for zero in both frameworks, so nothing complains: the parameter just does not learn. Zeros come from
    a detached branch, or from the derivative of a step that wants a surrogate.
    """
    if e.example is None:
        return None
    probe = e.probe(e.dtype)
    case = probe.case()
    outcome, want = probe.runner.run(case), e.truth(case)
    if outcome.raised or want is None:
        return None
    for name, g in zip(e.op.wrt, outcome.vjp, strict=True):
        is_zero = g is not None and not any(np.any(got[name]) for got in map(e.ask, e.ordinary) if got)
        if (g is None or is_zero) and size(want[name]):
            return f"gradient of {name} is {'None' if g is None else 0}; the true one reaches {size(want[name]):.4g}"
    return None
