"""Variables that the op captures."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe, same
from porting.runners import Case

_MOVED: Final = 0.125


@check(needs="captured variables", once=True)
def variables(probe: Probe) -> None:
    """A tf.Variable that the op reads gets the derivative of the op's own forward."""
    if probe.op.contract.gradient_of is not None:
        raise NotApplicableError("a surrogate: nobody says what the gradient of a variable is the derivative of")
    case = probe.case()
    outcome = probe.run(replace(case, use="audited"))
    if outcome is None:
        return
    found = outcome.audit["variables"]
    if not found:
        raise NotApplicableError("the op captures no variables")
    without = [one for one in found if one[2].any() and not one[1].any()]
    carriers = _carriers(probe, case) if without else []
    if without and sum(case.inputs[n].size for n in carriers) == sum(want.size for _, _, want in without):
        names = ", ".join(dict.fromkeys(name for name, _, _ in without))
        probe.note = f"no output depends on {', '.join(carriers)}, whose gradient is taken for that of {names}"
        found = [one for one in found if one[1].any() or not one[2].any()]
        if not found:
            raise NotApplicableError(probe.note)
    for name, got, want in found:
        tolerance = np.full(want.shape, 1e-4 * float(np.abs(want).max(initial=1.0)))
        said = {"quantity": "variable", "name": name, "truth": "forward"}
        probe.expect("differs", said, got, want, tolerance, replace(case, use="audited"))


def _carriers(probe: Probe, case: Case) -> list[str]:
    """Return the arguments that get a gradient though no output depends on them: it may be that of the variables."""
    answer = probe.runner.run(case)
    asked = [n for n, dx in zip(probe.op.wrt, answer.vjp, strict=False) if dx is not None and dx.any()]
    found = []
    for name in asked:
        moved = {**case.inputs, name: (case.inputs[name] + _MOVED).astype(case.inputs[name].dtype)}
        after = probe.runner.run(replace(case, inputs=moved))
        if after.raised is None and same(answer.value, after.value):
            found.append(name)
    return found
