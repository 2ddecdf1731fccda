"""Integer inputs that repeat a number."""

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe


@check(once=True)
def duplicates(probe: Probe) -> None:
    """Where an integer input has the same number everywhere, the gradients that meet there are added up."""
    names = probe.op.contract.integers
    if not names:
        raise NotApplicableError("there are no integer inputs")
    base = probe.case()
    for name in names:
        x = base.inputs[name]
        inputs = {**base.inputs, name: np.full_like(x, x.reshape(-1)[0])}
        case = probe.case(f"duplicates of {name}", inputs=inputs)  # how many outputs there are may depend on it
        outcome = probe.run(case, "duplicates", of_input=name)
        if outcome is not None:
            probe.expect_vjp(case, outcome, how="duplicates", of_input=name)
