"""A NaN in an input."""

from dataclasses import replace

import numpy as np

from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Array, Probe


@check(runners=TWINS)
def nan_input(probe: Probe) -> None:
    """A NaN in an input makes those outputs and gradients NaN that the oracle makes NaN, and no others."""
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("NaN is the same in every type; tested in float64 and float32")
    base = probe.case("nan")
    for name in probe.op.wrt:
        x = base.inputs[name].copy()
        if not x.size:
            continue
        x.reshape(-1)[0] = np.nan
        case = replace(base, inputs={**base.inputs, name: x})
        outcome = probe.run(case, f" for a NaN in {name}")
        if outcome is None or not probe.independent:
            continue
        truth = probe.truth(case)
        for k, (y, want) in enumerate(zip(outcome.value, truth.value, strict=False)):
            same_nan(probe, f"y{k}" if len(truth.value) > 1 else "y", f"a NaN in {name}", y, want)
        for other, dx, want_dx in zip(probe.op.wrt, outcome.vjp, truth.vjp, strict=True):
            if dx is not None and want_dx is not None:
                same_nan(probe, f"the gradient of {other}", f"a NaN in {name}", dx, want_dx)
        numbers = [np.isnan(np.asarray(want_dx)) for want_dx in truth.vjp]
        if len({mask.shape for mask in numbers}) == 1:
            probe.expect_vjp(case, outcome, how=f" beside a NaN in {name}", excused=np.logical_or.reduce(numbers))


def same_nan(probe: Probe, what: str, source: str, got: Array, want: Array, judged: Array | None = None) -> None:
    """Note a finding where one is NaN and the other is not; elements that are not `judged` are excused."""
    if got.shape != want.shape:
        return  # said by other checks
    judged = np.ones(want.shape, dtype=bool) if judged is None else judged
    mine, wanted = np.isnan(np.asarray(got, dtype=np.float64)), np.isnan(want)
    hidden, invented = wanted & ~mine & judged, mine & ~wanted & judged
    probe.compared += int(judged.sum()) - 1
    probe.fact(
        not hidden.any(),
        f"{what} hides {source}",
        f"{int(hidden.sum())} of {want.size} elements are numbers where {probe.truth_title} has NaN",
    )
    probe.fact(
        not invented.any(),
        f"{what} is NaN for {source} where {probe.truth_title} has a number",
        f"in {int(invented.sum())} of {want.size} elements",
    )
