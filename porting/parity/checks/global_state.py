"""Settings of the process: seeds, default types, grad mode, threads, the working folder."""

from porting.parity.checks import TWINS, check
from porting.parity.probe import Probe


@check(runners=TWINS, once=True)
def global_state(probe: Probe) -> None:
    """Forward and backward leave the settings of the framework and of the process as they are."""
    before = probe.runner.state()
    case = probe.case()  # runs an op that is its own truth
    probe.runner.run(case)
    probe.runner.restore(before)
    before = probe.runner.state()  # what the first call of all sets up, a library's threads, is there now
    probe.runner.run(case)
    after = probe.runner.state()
    for name, value in before.items():
        seed = "seed" in name
        probe.fact(
            after[name] == value,
            f"the op changes {name}",
            "randomness comes in as an input: a hidden draw cannot be repeated on the other side"
            if seed
            else "other code of the same process gets the changed setting",
        )
