"""At a kink there is no derivative, so there is a convention; both twins keep the oracle's."""

import numpy as np

from porting.dtypes import as_dtype
from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Probe


@check(runners=TWINS)
def kinks(probe: Probe) -> None:
    """Exactly at each declared kink, value and gradient follow the oracle's stated convention."""
    if not probe.op.contract.kinks:
        raise NotApplicableError("the contract declares no kinks")
    probe.kind = "kink convention"
    for statics in probe.variants():
        base = probe.case("kinks", statics=statics)
        for name, places in probe.kinks(base.inputs, base.statics).items():
            for place in places:
                wanted = np.broadcast_to(np.asarray(place, dtype=np.float64), base.inputs[name].shape)
                at = wanted.astype(as_dtype(probe.dtype))
                inexact = at.astype(np.float64) != wanted
                probe.excused += int(inexact.sum())
                if inexact.all():
                    continue
                case = probe.case("kinks", statics=statics, inputs={**base.inputs, name: at})
                outcome = probe.run(case)
                if outcome is None:
                    return
                probe.expect_value(case, outcome, excused=inexact)
                probe.expect_vjp(case, outcome, excused=inexact)
    if not probe.compared:
        raise NotApplicableError(f"{probe.dtype} can represent none of the declared kinks exactly")
