"""Python values that a traced function has read."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(needs="tracing", once=True, graph=True)
def python_state(probe: Probe) -> None:
    """A number in a list or dictionary that the op reads means the same in a tf.function when it is changed."""
    outcome = probe.run(replace(probe.case(), mode="function", use="state changed"), "function")
    if outcome is None:
        return
    for name in outcome.audit["baked"]:
        probe.fact(False, "value_kept", "portability", name=name)
    probe.compared += 1
