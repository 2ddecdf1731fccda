"""What was saved."""

from dataclasses import replace

from porting.backends import having
from porting.diagnosis.cause import ORDER, cause
from porting.diagnosis.evidence import Evidence
from porting.parity.finding import Finding


@cause(
    rank=82,
    meant=ORDER,
)
def saved_intermediate(e: Evidence) -> str | None:
    """The second derivative misses a term: an intermediate of the forward was saved, and is a constant to autograd.

    The first gradient is right. Differentiated again, a tensor that was computed in forward and saved carries no graph,
    so the path through it is lost without a word.
    """
    found = e.finding("second_order")
    if found is None or not e.clean or e.runner not in having("saved tensors") or found.code == "raised":
        return None
    if not all(_by_an_input(e, f) for f in e.findings("second_order", "detached")):
        return None  # what is lost by dy was detached itself
    if not any(_by_an_input(e, f) for f in e.findings("second_order")):
        return None
    probe = e.probe(e.dtype)
    seen = probe.runner.run(replace(probe.case(), use="audited")).audit
    if not seen.get("intermediates"):
        return None
    return f"tensors saved that are neither inputs nor outputs: {seen['intermediates']}; {found.seen}"


def _by_an_input(e: Evidence, found: Finding) -> bool:
    return not {found.fields.get("by"), found.fields.get("name")}.isdisjoint(e.op.wrt)
