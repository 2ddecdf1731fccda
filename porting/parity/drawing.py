"""Ops that draw random numbers: nothing can be compared with another side, but each side with its own forward."""

from dataclasses import replace
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.parity.common_numbers import in_common
from porting.runners import RUNNERS, Case, Runner, runner_of
from porting.runners.seeded import SeededRunner
from porting.spec import Op
from porting.subject import Subject

# Of an op that draws, the checks that need no other truth than its own forward, in the same type.
_ALONE: Final = frozenset({"adjoint", "inputs_unchanged", "leak"})
# Those that make nothing of common numbers: they compile the op, or look at several calls of it.
_OF_CALLS: Final = frozenset(
    {
        "global_state",
        "jvp",
        "keyword_call",
        "python_state",
        "refusals",
        "repeated",
        "traced",
        "variables",
        "vmap",
        "xla",
    }
)
# Where a backward draws, those that have it draw once.
_OF_BACKWARDS: Final = frozenset(
    {
        "adjoint",
        "coincidences",
        "cotangent_sizes",
        "inputs_unchanged",
        "large",
        "leak",
        "special_values",
        "value",
        "vjp",
    }
)
_CASES: Final = 3
_PATIENCE: Final = 0.3  # seconds
_OPS: WeakKeyDictionary[Pair, dict[str, Subject]] = WeakKeyDictionary()


def op_of_pair(pair: Pair, key: str) -> Subject:
    """Return the op that a side is checked as; where a side draws, one that is given the same numbers in each call.

    Where both sides make the same of the same random numbers, they are compared; else each has itself as the truth.
    Such an op says so in `Subject.draws`. With an oracle, a recording or another interpreter nothing is looked for.
    """
    if pair.oracle is not None or pair.against is not None or pair.python:
        return pair.on(key)
    if pair not in _OPS:
        _OPS[pair] = _of_drawing(pair)
    return _OPS[pair].get(key) or pair.on(key)


def _of_drawing(pair: Pair) -> dict[str, Subject]:
    """Return the ops of a pair of which some side draws; none where no side does, or a backward on its own."""
    drawn = {side: draws(pair.on(side), runner_of(pair, side), pair.widest) for side in pair.compared}
    found, how = in_common(pair) if any(drawn.values()) else {}, "; both sides are given the same ones, for most checks"
    if not found and "value" in drawn.values():
        found, how = {key: pair.alone(key, SeededRunner(runner_of(pair, key))) for key in pair.compared}, ""
    who = " and ".join(RUNNERS[side].title for side, what in drawn.items() if what)
    for op in found.values():
        op.draws = f"{who}: it draws random numbers{how}; pass the noise as an input"
    return found


def unasked(op: Op, check: str, mode: str) -> str:
    """Return why a check has no meaning for an op that draws; empty if it has one."""
    if not op.common:
        return "" if check in _ALONE else op.draws
    meaning = check in _OF_BACKWARDS if op.common == "backward" else check not in _OF_CALLS
    return "" if meaning and mode == "eager" else op.draws


def draws(op: Op, runner: Runner, dtype: str) -> str:
    """Return what an op gives another one of each time in a type, ``value`` or ``gradient``, if seeds make it the same.

    One that differs from the same seeds too has a state of its own, which is a fault. Few numbers may be the same by
    chance, so that several cases are asked, as far as they take little time.
    """
    rng, until = samples.generator(0, op.name, "drawing"), monotonic() + _PATIENCE
    for _ in range(_CASES):
        case = Case(op, dtype, Cases(op, dtype).draw(rng))
        if is_drawn(runner, case):
            return "value"
        if not (y := runner.run(case).value):  # it raises
            break
        if is_drawn(runner, replace(case, dy=tuple(samples.cotangent(rng, a.shape, dtype) for a in y))):
            return "gradient"
        if monotonic() > until:
            break
    return ""


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
