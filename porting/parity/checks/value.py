"""Forward values."""

from porting.parity.checks import check
from porting.parity.probe import Probe


@check()
def value(probe: Probe) -> None:
    """The outputs equal the oracle's, in number, shape and value."""
    for case in probe.ordinary(order=0):
        outcome = probe.run(case)
        if outcome is None:
            return
        if not probe.independent:
            continue
        got, want = len(outcome.value), len(probe.truth(case).value)
        if probe.fact(got == want, "count_differs", got=got, want=want):
            probe.expect_value(case, outcome)
