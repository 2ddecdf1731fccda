"""XLA."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(runners=("tf",), once=True)
def xla(probe: Probe) -> None:
    """Compiled by XLA the op gives the same as the oracle."""
    eager = probe.runner.run(replace(probe.case(), mode="function"))
    probe.kind = "fault" if eager.raised else "portability"
    probe.expect_use("traced before", " compiled by XLA", mode="xla")
