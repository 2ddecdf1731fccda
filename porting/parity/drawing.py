"""Ops that draw random numbers, or drew some when they were made.

Nothing can be compared with another side, but each side with its own forward.
"""

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.pairs.suitable import answer_to
from porting.parity.cases import Cases
from porting.runners import RUNNERS, Case, Runner, runner_of
from porting.runners.base import Array
from porting.runners.seeded import SeededRunner
from porting.spec import Op
from porting.subject import Subject

# Of an op that draws, the checks that need no other truth than its own forward, in the same type.
MEANINGFUL: Final = frozenset({"adjoint", "inputs_unchanged", "leak"})
_DRAWS: Final = "it draws random numbers; pass the noise as an input"
_GIVE: Final = (
    ", and nothing says which numbers of the sides are the same: say it with --weights torch:NAME=tf:NAME, or give "
    "FILE.py:make, functions without arguments that make both with the same numbers"
)
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
        why = f"{' and '.join(drawing)}: {_DRAWS}" if drawing else _of_its_own(pair)
        _ALONE[pair] = {side: _alone(pair, side, why) for side in pair.compared} if why else {}
    return _ALONE[pair].get(key) or pair.on(key)


def _alone(pair: Pair, key: str, why: str) -> Subject:
    op = pair.alone(key, SeededRunner(runner_of(pair, key)))
    op.draws = why
    return op


def _of_its_own(pair: Pair) -> str:
    """Say which frozen numbers sides draw for themselves, if answers depend on them; empty if none do."""
    found = [
        f"{RUNNERS[key].title} draws {', '.join(names)} for itself"
        for key, names in pair.apart.items()
        if key in pair.compared and _depends(pair, key)
    ]
    return f"{' and '.join(found)}{_GIVE}" if found else ""


def _depends(pair: Pair, key: str) -> bool:
    """Whether value or gradient of a side are others with other such numbers."""
    op, runner = pair.on(key), runner_of(pair, key)
    inputs = Cases(op, pair.widest).draw(samples.generator(0, op.name, "drawing"))
    (_, before) = answer_to(op, runner, inputs)
    with pair.redrawn(key):
        (_, after) = answer_to(op, runner, inputs)
    return _are_others((*before.value, *before.vjp), (*after.value, *after.vjp))


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
    return _are_others(first, second)


def _are_others(first: Sequence[Array | None], second: Sequence[Array | None]) -> bool:
    arrays = ((a, b) for a, b in zip(first, second, strict=False) if a is not None and b is not None)
    return any(not np.array_equal(a, b, equal_nan=True) for a, b in arrays)
