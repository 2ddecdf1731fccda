"""Settings of the process: seeds, default types, grad mode, threads, the working folder."""

from dataclasses import replace
from typing import Final

from porting.parity.checks import check
from porting.parity.probe import Probe

_RANDOM: Final = "random state"  # which drawing moves on; a seed it does not


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
        if not (_RANDOM in name and _moves_on(probe, name)):
            probe.fact(False, "setting_changed", setting=name)
    probe.compared += 1


def _moves_on(probe: Probe, name: str) -> bool:
    """Whether a second call changes the state of random numbers again: who draws moves it on, who seeds sets it.

    Of a side in another interpreter that is not seen.
    """
    states = []
    for _ in range(2):
        probe.runner.run(probe.case())
        states.append(probe.runner.state().get(name))
    return bool(states[0] != states[1])
