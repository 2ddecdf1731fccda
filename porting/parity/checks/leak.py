"""Memory: what the op keeps between forward and backward, and for how long."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(needs="saved tensors", once=True)
def leak(probe: Probe) -> None:
    """An output that nobody holds is freed at once, not by the garbage collector; the bytes saved are reported."""
    probe.ensure_use("audited")
    case = replace(probe.case(), use="audited")
    outcome = probe.run(case)
    if outcome is None:
        return
    seen = outcome.audit
    on_ctx = ", ".join(seen["on ctx"])
    probe.fact(not seen["alive"], "never_freed", on_ctx=seen["on ctx"])
    inputs = sum(x.nbytes for x in case.inputs.values())
    kept = f"saves {seen['saved']} bytes for backward, its inputs have {inputs}"
    probe.note = f"{kept}; {seen['bytes on ctx']} more stand on ctx ({on_ctx})" if on_ctx else kept
