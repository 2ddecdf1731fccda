"""Ops that draw random numbers: nothing can be compared with another side, but each side with its own forward."""

from collections.abc import Iterable
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.runners import RUNNERS, Case, Runner, runner_of
from porting.runners.seeded import SeededRunner
from porting.spec import Op
from porting.subject import Subject

Array = np.ndarray[Any, Any]

# Of an op that draws, the checks that need no other truth than its own forward, in the same type.
MEANINGFUL: Final = frozenset({"adjoint", "inputs_unchanged", "leak"})
_CALLS: Final = 6
_LONG: Final = 0.2  # seconds
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
    return bool(drawn(runner, Case(op, dtype, inputs)))


def drawn(runner: Runner, case: Case) -> str:
    """Return what a runner draws of its answer to a case: value, or gradient alone; empty if nothing.

    No tolerance is known for such numbers.
    """
    settings = runner.state()
    try:
        found = _differing(runner, case, _CALLS)
        return "" if found and _differing(SeededRunner(runner), case, 2) else found
    finally:
        runner.restore(settings)


def _differing(runner: Runner, case: Case, most: int) -> str:
    """Return what differs between calls: two of a few bits are the same by chance, so that there are more of them.

    One that takes long is called twice.
    """
    first, begun, found = runner.run(case), monotonic(), ""  # what the first call prepares is not counted
    for k in range(1, most):
        if k > 1 and monotonic() - begun > _LONG:
            break
        again = runner.run(case)
        if _differs(first.value, again.value):
            return "value"
        found = found or ("gradient" if _differs(first.vjp, again.vjp) else "")
    return found


def _differs(these: Iterable[Array | None], those: Iterable[Array | None]) -> bool:
    pairs = ((a, b) for a, b in zip(these, those, strict=False) if a is not None and b is not None)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in pairs)
