"""Beyond its domain an op does what its contract says, on both sides."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from porting.dtypes import unit_roundoff
from porting.parity.cases import rounded
from porting.parity.checks import ALL, NotApplicableError, check
from porting.parity.probe import Probe


@check(runners=ALL)
def outside_domain(probe: Probe) -> None:
    """Outside the domain every implementation raises, or gives NaN or infinity, as the contract says."""
    contract = probe.op.contract
    if contract.raises is None and not contract.nonfinite:
        raise NotApplicableError("the contract claims nothing outside the domain")
    for name, number in _outside(probe):
        base = probe.case("outside domain")
        case = replace(base, inputs={**base.inputs, name: rounded(number, base.inputs[name].shape, probe.dtype)})
        outcome = probe.runner.run(case)
        at: dict[str, Any] = {"name": name, "number": number}
        if contract.raises is not None:
            got, want = outcome.raised.type if outcome.raised else "nothing", contract.raises.__name__
            probe.fact(got == want, "domain_not_refused", want=want, got=got, **at)
        elif outcome.raised is None:
            finite = all(np.isfinite(y.astype(np.float64)).all() for y in outcome.value)
            probe.fact(not finite, "domain_finite", **at)
        else:
            probe.fact(False, "domain_raised", got=str(outcome.raised), **at)


def _outside(probe: Probe) -> Iterator[tuple[str, float]]:
    """Yield numbers beyond each finite end of each real domain: one unit, or the next number of the type."""
    for name, bounds in probe.op.contract.domain.items():
        if not isinstance(bounds, tuple):
            continue
        for end, away in zip(bounds, (-1, 1), strict=True):
            step = max(1.0, 4 * unit_roundoff(probe.dtype) * abs(end))
            if np.isfinite(end):
                yield name, end + away * step
