"""Two backward passes through one graph."""

from dataclasses import replace

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(once=True)
def retained(probe: Probe) -> None:
    """A second backward through the same graph gives the same gradient."""
    probe.ensure_use("retained")
    case = probe.case()
    first = probe.run(case)
    if first is None:  # what raises at once does not raise for what the first backward left behind
        return
    second = probe.run(replace(case, use="retained"), "retained")
    if second is not None:
        probe.expect_as_first("differs", case, first, second, truth="first", how="retained")
