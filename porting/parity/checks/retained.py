"""Two backward passes through one graph."""

from porting.parity.checks import TWINS, check
from porting.parity.probe import Probe


@check(runners=TWINS, once=True)
def retained(probe: Probe) -> None:
    """A second backward through the same graph gives the same gradient."""
    probe.expect_use("retained", "retained")
