"""The same question twice."""

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(once=True)
def repeated(probe: Probe) -> None:
    """The same inputs and cotangents give the same value and gradient each time."""
    case = probe.case()
    first, second = probe.run(case), probe.run(case)
    if first is None or second is None:
        return
    probe.expect_as_first("changes", case, first, second)
