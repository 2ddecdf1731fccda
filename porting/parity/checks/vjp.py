"""Gradients, as the framework hands them to its user."""

from porting.dtypes import is_inexact
from porting.parity.checks import check
from porting.parity.probe import Probe


@check()
def vjp(probe: Probe) -> None:
    """The gradients equal the oracle's, for cotangents of both signs and of sizes from 0.1 to 10."""
    for case in probe.ordinary():
        outcome = probe.run(case)
        if outcome is None:
            return
        if any(map(is_inexact, outcome.value)):  # whole numbers have no gradient
            probe.expect_vjp(case, outcome)
        if probe.quick:  # then no other check looks at the value
            probe.expect_value(case, outcome)
