"""Nothing that the caller can see is modified in place."""

from porting.parity.checks import ALL, NotApplicableError, check
from porting.parity.probe import Probe


@check(runners=ALL)
def inputs_unchanged(probe: Probe) -> None:
    """After forward and backward, inputs and cotangents are the same to the last bit."""
    if not probe.runner.mutable:
        raise NotApplicableError(f"a {probe.runner.title} tensor cannot be overwritten")
    case = probe.case()
    outcome = probe.run(case)
    if outcome is None:
        return
    for name in (*case.inputs, *(f"dy{k}" for k in range(len(case.dy or ())))):
        label = "dy" if name == "dy0" and len(case.dy or ()) == 1 else name
        probe.fact(name not in outcome.changed, "overwritten", name=label)
