"""Two uses at once: the second forward comes before the first backward."""

from porting.parity.checks import check
from porting.parity.probe import Probe


@check(once=True)
def interleaved(probe: Probe) -> None:
    """A second forward and backward with other numbers does not change the gradient of the first."""
    probe.expect_use("interleaved", "interleaved", other=probe.case("in between"))
