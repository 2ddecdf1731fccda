"""Some inputs only are differentiated."""

from dataclasses import replace
from itertools import chain, combinations
from typing import Final

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe, same

_ALL: Final = 5  # inputs have 30 subsets; the parameters of a module may be dozens


@check(once=True)
def subsets(probe: Probe) -> None:
    """With any subset of the inputs requiring a gradient, each of them gets the one it gets with all.

    Of more than five inputs each is tried by itself, and all without each. What is wrong with all, other checks say.
    Inputs that have no gradient with all are numbers to the function: what they get alone is told apart.
    """
    names = probe.op.wrt
    if len(names) < 2:
        raise NotApplicableError("there is one input to differentiate by")
    case = probe.case()
    whole = probe.runner.run(case)
    sizes = tuple(range(1, len(names))) if len(names) <= _ALL else (1, len(names) - 1)
    for watch in chain.from_iterable(combinations(names, n) for n in sizes):
        watched = [names.index(name) for name in watch]
        numbers = whole.raised is None and not any(np.any(whole.vjp[k]) for k in watched if whole.vjp[k] is not None)
        how = "numbers alone" if numbers else "some inputs"
        outcome = probe.run(replace(case, watch=watch), how, names=watch)
        if outcome is None:
            continue
        if not whole.raised and same([whole.vjp[k] for k in watched], [outcome.vjp[k] for k in watched]):
            probe.fact(True, "differs")
        else:
            probe.expect_vjp(replace(case, watch=watch), outcome, how=how, names=watch)
