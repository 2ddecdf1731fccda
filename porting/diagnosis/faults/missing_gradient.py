"""None or zeros instead of a gradient."""

import numpy as np

from porting.backends import BACKENDS
from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, size


def _filled(e: Evidence, example: Example) -> Arrays:
    """Fill in what is missing in this example: an input that has a gradient is not mended."""
    outcome = e.probe(e.dtype).runner.run(example.case)
    given = dict(zip(e.op.wrt, outcome.vjp, strict=False))
    missing = {name for name, g in given.items() if g is None or not np.any(g)}
    return {name: example.want[name] if name in missing else g for name, g in example.got.items()}


@cause(
    rank=24,
    meant="Name the inputs that have a gradient: --contract wrt=x,y (Contract(wrt=('x', 'y'))).",
    repair=_filled,
    of_gradients=True,
    by_input=True,
)
def missing_gradient(e: Evidence) -> str | None:
    """A gradient is None, or 0 throughout, where it is not zero.

    None passes for zero in both frameworks, so nothing complains: the parameter just does not learn. Zeros come from
    a detached branch, or from the derivative of a step that wants a surrogate.
    """
    if e.example is None:
        return _without_graph(e)
    probe = e.probe(e.dtype)
    case = probe.case()
    outcome, want = probe.runner.run(case), e.truth(case)
    if outcome.raised or want is None:
        return None
    missing = [
        f"gradient of {name} is {'None' if g is None else 0}; the true one reaches {size(want[name]):.4g}"
        for name, g in zip(e.op.wrt, outcome.vjp, strict=True)
        if e.only in {"", name} and size(want[name]) and (g is None or (not np.any(g) and _zero_throughout(e, name)))
    ]
    return ", ".join(missing) or None


def _without_graph(e: Evidence) -> str | None:
    """Say so of an output that has no gradient: what raises is the framework, and no line of the op's."""
    raised, own = e.raised, {r.where for r in e.results}
    if raised is None or raised.stage != "backward" or raised.where not in own:
        return None
    said = BACKENDS[e.runner].no_graph
    if not said or said not in raised.message:
        return None
    want = e.truth(e.probe(e.dtype).case()) or {}
    return f"the output has no gradient: {raised}" if any(map(size, want.values())) else None


def _zero_throughout(e: Evidence, name: str) -> bool:
    """Whether a gradient is 0 in every everyday case in which the true one is not."""
    answers = [(e.ask(case), e.truth(case)) for case in e.ordinary]
    shown = [got[name] for got, want in answers if got and want and size(want[name])]
    return len(shown) > 1 and not any(np.any(g) for g in shown)
