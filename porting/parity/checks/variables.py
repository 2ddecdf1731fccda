"""Variables that the op captures."""

from dataclasses import replace

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe


@check(needs="captured variables", once=True)
def variables(probe: Probe) -> None:
    """A tf.Variable that the op reads gets the derivative of the op's own forward."""
    if probe.op.contract.gradient_of is not None:
        raise NotApplicableError("a surrogate: nobody says what the gradient of a variable is the derivative of")
    case = replace(probe.case(), use="audited")
    outcome = probe.run(case)
    if outcome is None:
        return
    if not outcome.audit["variables"]:
        raise NotApplicableError("the op captures no variables")
    for name, got, want in outcome.audit["variables"]:
        tolerance = np.full(want.shape, 1e-4 * float(np.abs(want).max(initial=1.0)))
        said = {"quantity": "variable", "name": name, "truth": "forward"}
        probe.expect("differs", said, got, want, tolerance, case)
