"""Two backward passes through one graph."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(once=True)
def retained(probe: Probe) -> None:
    """A second backward through the same graph gives the same gradient."""
    probe.ensure_use("retained")
    case = probe.case()
    first = probe.runner.run(case)
    second = probe.run(replace(case, use="retained"), "retained")
    if second is not None and first.raised is None:
        probe.expect_as_first("differs", case, first, second, truth="first", how="retained")
