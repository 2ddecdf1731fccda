"""Another branch of the graph that gets the same cotangent, or the same input."""

from dataclasses import replace

from porting.dtypes import wide
from porting.parity.checks import check
from porting.parity.probe import NotApplicableError, Probe


@check(needs="writable tensors", once=True)
def shared_cotangent(probe: Probe) -> None:
    """A branch beside the op, f(x) + x, gets the cotangent and the input as they were."""
    case = probe.case()
    dy = case.dy or ()
    if len(dy) != 1 or any(case.inputs[name].shape != dy[0].shape for name in probe.op.wrt):
        raise NotApplicableError("the output and the inputs have different shapes, so they cannot be added")
    outcome = probe.run(replace(case, use="shared"), "shared")
    if outcome is None or not probe.independent:
        return
    parts = zip(probe.op.wrt, outcome.vjp, probe.truth(case).vjp, probe.vjp_tolerance(case), strict=True)
    for name, dx, want, tol in parts:
        if dx is not None and want is not None:
            said = {"quantity": "gradient", "name": name, "truth": probe.who, "how": "shared"}
            probe.expect("differs", said, dx, want + wide(dy[0]), 2 * tol + 1e-15 * abs(dy[0]), case)
