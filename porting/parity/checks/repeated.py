"""The same question twice."""

from porting.parity.checks import check
from porting.parity.drawing import drawn
from porting.parity.probe import Probe, same


@check(once=True)
def repeated(probe: Probe) -> None:
    """The same inputs and cotangents give the same value and gradient each time."""
    case = probe.case()
    first, second = probe.run(case), probe.run(case)
    if first is None or second is None:
        return
    by_design = not same(first.value, second.value) and drawn(probe.runner, case) == "value"
    probe.expect_as_first("changes", case, first, second, **({"drawn": True} if by_design else {}))
