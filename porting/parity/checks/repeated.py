"""The same question twice."""

from porting.dtypes import wide
from porting.parity.checks import TWINS, check
from porting.parity.probe import Probe


@check(runners=TWINS, once=True)
def repeated(probe: Probe) -> None:
    """The same inputs and cotangents give the same value and gradient each time."""
    case = probe.case()
    first, second = probe.run(case), probe.run(case)
    if first is None or second is None:
        return
    for k, (y, again, tol) in enumerate(zip(first.value, second.value, probe.value_tolerance(case), strict=False)):
        probe.expect(f"output {k} differs when the op is called again", "y", again, wide(y), tol, case)
    for name, dx, again_dx, tol in zip(probe.op.wrt, first.vjp, second.vjp, probe.vjp_tolerance(case), strict=True):
        if dx is not None and again_dx is not None:
            what = f"gradient of {name} differs when the op is called again"
            probe.expect(what, f"d{name}", again_dx, wide(dx), tol, case)
