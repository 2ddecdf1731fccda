"""Cotangents of a mean over a million elements, and of a loss that is scaled up."""

from dataclasses import replace
from typing import Final

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe

_POWERS: Final = (-40, 40)  # of 2, so that nothing is rounded; float16 goes from -24 to 16


@check(once=True)
def cotangent_sizes(probe: Probe) -> None:
    """For cotangents 2^-40 and 2^40 times as large as ordinary ones, the gradients equal the oracle's."""
    if probe.dtype == "float16":
        raise NotApplicableError("float16 has no numbers of these sizes")
    case = probe.case()
    for power in _POWERS:
        scaled = replace(case, dy=tuple((2.0**power * v).astype(v.dtype) for v in case.dy or ()))
        outcome = probe.run(scaled, "scaled", power=power)
        if outcome is None:
            return
        probe.expect_vjp(scaled, outcome, how="scaled", power=power)
