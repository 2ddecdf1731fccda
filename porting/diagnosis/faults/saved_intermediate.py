"""What was saved."""

from dataclasses import replace

from porting.backends import having
from porting.diagnosis.cause import ORDER, cause
from porting.diagnosis.evidence import Evidence
from porting.parity.finding import Finding
from porting.parity.probe import Probe
from porting.runners import Case
from porting.runners.uses import Audit


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
    if not all(_inputs(e, f) for f in e.findings("second_order", "detached", "differs")):
        return None  # what is lost by dy was detached itself: nothing that the forward makes follows from dy
    names = {name for f in e.findings("second_order") for name in _inputs(e, f)}
    probe = e.probe(e.dtype)
    case = replace(probe.case(), use="audited")
    seen = probe.runner.run(case).audit
    if not seen.get("intermediates") or not any(_depends(probe, case, name, seen) for name in names):
        return None
    return f"tensors saved that are neither inputs nor outputs: {seen['intermediates']}; {found.seen}"


def _inputs(e: Evidence, found: Finding) -> set[str]:
    return {found.fields.get("by", ""), found.fields.get("name", "")}.intersection(e.op.wrt)


def _depends(probe: Probe, case: Case, name: str, seen: Audit) -> bool:
    """Whether what is saved follows from an input: else it is the same constant for a true second derivative by it."""
    moved = replace(case, inputs={**case.inputs, name: (0.9 * case.inputs[name]).astype(case.inputs[name].dtype)})
    return probe.runner.run(moved).audit.get("their numbers", ()) != seen.get("their numbers", ())
