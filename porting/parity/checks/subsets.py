"""Some inputs only are differentiated."""

from dataclasses import replace
from itertools import chain, combinations
from typing import Final

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe, same

_ALL: Final = 5  # inputs have 30 subsets; the parameters of a module may be dozens


@check(once=True)
def subsets(probe: Probe) -> None:
    """With any subset of the inputs requiring a gradient, each of them gets the one it gets with all.

    Of more than five inputs each is tried by itself, and all without each. What is wrong with all, other checks say.
    """
    names = probe.op.wrt
    if len(names) < 2:
        raise NotApplicableError("there is one input to differentiate by")
    case = probe.case()
    whole = probe.runner.run(case)
    sizes = tuple(range(1, len(names))) if len(names) <= _ALL else (1, len(names) - 1)
    for watch in chain.from_iterable(combinations(names, n) for n in sizes):
        outcome = probe.run(replace(case, watch=watch), "some inputs", names=watch)
        if outcome is None:
            continue
        watched = [names.index(name) for name in watch]
        if not whole.raised and same([whole.vjp[k] for k in watched], [outcome.vjp[k] for k in watched]):
            probe.fact(True, "differs")
        else:
            probe.expect_vjp(replace(case, watch=watch), outcome, how="some inputs", names=watch)
