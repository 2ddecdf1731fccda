"""Settings of the process: seeds, default types, grad mode, threads, the working folder."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(once=True)
def global_state(probe: Probe) -> None:
    """Forward and backward leave the settings of the framework and of the process as they are."""
    probe.ensure_use("settings")
    before = probe.runner.state()
    case = probe.case()  # runs an op that is its own truth
    probe.runner.restore(before)
    outcome = probe.run(replace(case, use="settings"))
    if outcome is None:
        return
    for name in outcome.audit["changed"]:
        probe.fact(False, "setting_changed", setting=name)
    probe.compared += 1
