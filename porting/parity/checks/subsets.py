"""Some inputs only are differentiated."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Final

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Outcome

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
        if _are_kept(whole, outcome, [names.index(name) for name in watch]):
            probe.fact(True, "differs")
        else:
            probe.expect_vjp(replace(case, watch=watch), outcome, how="some inputs", names=watch)


def _are_kept(whole: Outcome, part: Outcome, watched: Sequence[int]) -> bool:
    """Whether the gradients are those with all inputs, to the last bit."""
    if whole.raised is not None:
        return False
    pairs = [(whole.vjp[k], part.vjp[k]) for k in watched]
    return all(a is b or (a is not None and b is not None and np.array_equal(a, b, equal_nan=True)) for a, b in pairs)
