"""Ops that draw random numbers: nothing can be compared with another side, but each side with its own forward."""

from collections.abc import Iterable
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.runners import RUNNERS, Case, Runner, runner_of
from porting.runners.seeded import SeededRunner
from porting.spec import Op
from porting.subject import Subject

# Of an op that draws, the checks that need no other truth than its own forward, in the same type.
MEANINGFUL: Final = frozenset({"adjoint", "inputs_unchanged", "leak"})
_ALONE: WeakKeyDictionary[Pair, dict[str, Subject]] = WeakKeyDictionary()


def op_of_pair(pair: Pair, key: str) -> Subject:
    """Return the op that a side is checked as; where a side draws, with itself as the truth, from the same seeds.

    Such an op says so in `Subject.draws`. With an oracle, a recording or another interpreter nothing is looked for.
    """
    if pair.oracle is not None or pair.against is not None or pair.python:
        return pair.on(key)
    if pair not in _ALONE:
        drawing = [
            RUNNERS[side].title for side in pair.compared if draws(pair.on(side), runner_of(pair, side), pair.widest)
        ]
        _ALONE[pair] = {side: _alone(pair, side, drawing) for side in pair.compared} if drawing else {}
    return _ALONE[pair].get(key) or pair.on(key)


def _alone(pair: Pair, key: str, drawing: Iterable[str]) -> Subject:
    op = pair.alone(key, SeededRunner(runner_of(pair, key)))
    op.draws = f"{' and '.join(drawing)}: it draws random numbers; pass the noise as an input"
    return op


def draws(op: Op, runner: Runner, dtype: str) -> bool:
    """Tell whether an op gives another value each time in a type, and the same one from the same seeds.

    One that differs from the same seeds too has a state of its own, which is a fault.
    """
    inputs = Cases(op, dtype).draw(samples.generator(0, op.name, "drawing"))
    return is_drawn(runner, Case(op, dtype, inputs))


def is_drawn(runner: Runner, case: Case) -> bool:
    """Tell the same of what a runner answers to a case, of a gradient too: no tolerance is known for such numbers."""
    settings = runner.state()
    try:
        return _differs(runner, case) and not _differs(SeededRunner(runner), case)
    finally:
        runner.restore(settings)


def _differs(runner: Runner, case: Case) -> bool:
    first, second = ((*outcome.value, *outcome.vjp) for outcome in (runner.run(case), runner.run(case)))
    arrays = ((a, b) for a, b in zip(first, second, strict=False) if a is not None and b is not None)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in arrays)
