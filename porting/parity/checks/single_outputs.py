"""Some outputs only are used."""

from dataclasses import replace

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe


@check(once=True)
def single_outputs(probe: Probe) -> None:
    """Backward through one output alone gives what cotangents of 0 for the others give."""
    case = probe.case()
    dy = case.dy or ()
    with_gradient = [k for k in range(len(dy)) if k not in probe.op.contract.nondiff]
    if len(dy) < 2:
        raise NotApplicableError("there is one output")
    for k in with_gradient:
        outcome = probe.run(replace(case, used=(k,)), "one output", index=k)
        if outcome is not None:
            alone = replace(case, dy=tuple(v if j == k else np.zeros_like(v) for j, v in enumerate(dy)))
            probe.expect_vjp(alone, outcome, how="one output", index=k)
