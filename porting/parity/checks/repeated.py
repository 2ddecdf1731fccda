"""The same question twice."""

from collections.abc import Sequence

import numpy as np

from porting.dtypes import unit_roundoff, wide
from porting.numeric.tolerance import peak
from porting.parity.checks import TWINS, check
from porting.parity.probe import Array, Probe, output_name


@check(runners=TWINS, once=True)
def repeated(probe: Probe) -> None:
    """The same inputs and cotangents give the same value and gradient each time."""
    case = probe.case()
    first, second = probe.run(case), probe.run(case)
    if first is None or second is None:
        return
    values = _allowed(probe, first.value, probe.value_tolerance(case, (first.value, second.value)))
    for k, (y, again, tol) in enumerate(zip(first.value, second.value, values, strict=False)):
        said = {"quantity": "value", "name": output_name(k, len(first.value))}
        probe.expect("changes", said, again, wide(y), tol, case)
    gradients = _allowed(probe, first.vjp, probe.vjp_tolerance(case, (first.vjp, second.vjp)))
    for name, dx, again_dx, tol in zip(probe.op.wrt, first.vjp, second.vjp, gradients, strict=True):
        if dx is not None and again_dx is not None:
            probe.expect("changes", {"quantity": "gradient", "name": name}, again_dx, wide(dx), tol, case)


def _allowed(probe: Probe, arrays: Sequence[Array | None], tolerances: Sequence[Array]) -> list[Array]:
    """Return how far two runs may be apart: each by its tolerance, in its own direction.

    A side that stands in for the truth answers for its own tolerance. If it changes, so does that; then half of the
    digits must be the same, and sums in another order change the last ones only.
    """
    if probe.op.truth == "oracle":
        return [2 * tol for tol in tolerances]
    half = np.sqrt(unit_roundoff(probe.dtype))
    pairs = zip(arrays, tolerances, strict=False)
    return [tol if a is None else np.minimum(2 * tol, half * peak(wide(a))) for a, tol in pairs]
