"""Some inputs only are differentiated."""

from dataclasses import replace
from itertools import chain, combinations

from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Probe


@check(runners=TWINS, once=True)
def subsets(probe: Probe) -> None:
    """With any subset of the inputs requiring a gradient, each of them gets the one it gets with all."""
    names = probe.op.wrt
    if len(names) < 2:
        raise NotApplicableError("there is one input to differentiate by")
    case = probe.case()
    for watch in chain.from_iterable(combinations(names, n) for n in range(1, len(names))):
        outcome = probe.run(replace(case, watch=watch), "some inputs", names=watch)
        if outcome is not None:
            probe.expect_vjp(replace(case, watch=watch), outcome, how="some inputs", names=watch)
