"""The same question twice."""

from porting.dtypes import wide
from porting.parity.checks import TWINS, check
from porting.parity.probe import Probe, output_name


@check(runners=TWINS, once=True)
def repeated(probe: Probe) -> None:
    """The same inputs and cotangents give the same value and gradient each time."""
    case = probe.case()
    first, second = probe.run(case), probe.run(case)
    if first is None or second is None:
        return
    for k, (y, again, tol) in enumerate(zip(first.value, second.value, probe.value_tolerance(case), strict=False)):
        said = {"quantity": "value", "name": output_name(k, len(first.value))}
        probe.expect("changes", said, again, wide(y), tol, case)
    for name, dx, again_dx, tol in zip(probe.op.wrt, first.vjp, second.vjp, probe.vjp_tolerance(case), strict=True):
        if dx is not None and again_dx is not None:
            probe.expect("changes", {"quantity": "gradient", "name": name}, again_dx, wide(dx), tol, case)
