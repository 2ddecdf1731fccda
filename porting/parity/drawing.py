"""Ops that draw random numbers: compared with the same ones, or each side with its own forward alone."""

from dataclasses import replace
from time import monotonic
from typing import Final
from weakref import WeakKeyDictionary

from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.parity.common_numbers import in_common
from porting.parity.frozen_draws import are_others, frozen_draws
from porting.runners import RUNNERS, Case, Runner, runner_of
from porting.runners.base import asked_for_the_truth
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
_SAID: Final = "{who}: it draws random numbers{how}; pass the noise as an input"
_COMMON: Final = "; both sides are given the same ones, for most checks"
_CASES: Final = 3  # a probability may be 0 or 1 in one
_CALLS: Final = 6
_LONG: Final = 0.2  # seconds
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
    drawn = {side: _drawn_by(pair, side) for side in pair.compared}
    who = " and ".join(RUNNERS[side].title for side, what in drawn.items() if what)
    found, why = in_common(pair) if who else {}, _SAID.format(who=who, how=_COMMON)
    if not found:
        why = _SAID.format(who=who, how="") if "value" in drawn.values() else "" if who else frozen_draws(pair)
        found = {key: pair.alone(key, SeededRunner(runner_of(pair, key))) for key in pair.compared} if why else {}
    for op in found.values():
        op.draws = why
    return found


def _drawn_by(pair: Pair, side: str) -> str:
    with asked_for_the_truth(side):  # one that does not come back is not the side's that is checked
        return draws(pair.on(side), runner_of(pair, side), pair.widest)


def unasked(op: Op, check: str, mode: str) -> str:
    """Return why a check has no meaning for an op that draws; empty if it has one."""
    if not op.common:
        return "" if check in _ALONE else op.draws
    meaning = check in _OF_BACKWARDS if op.common == "backward" else check not in _OF_CALLS
    return "" if meaning and mode == "eager" else op.draws


def draws(op: Op, runner: Runner, dtype: str) -> str:
    """Return what an op gives another one of each time in a type, ``value`` or ``gradient``, if seeds make it the same.

    One that differs from the same seeds too has a state of its own, which is a fault.
    """
    rng, settings, begun = samples.generator(0, op.name, "drawing"), runner.state(), monotonic()
    cases = [Case(op, dtype, Cases(op, dtype).draw(rng)) for _ in range(_CASES)]
    try:
        y = runner.run(cases[0]).value
    finally:
        runner.restore(settings)
    slow = monotonic() - begun > _LONG  # it is asked as little as can be, and its backward not at all
    for case, most in zip(cases[: 1 if slow else None], (_CALLS, *[2] * _CASES), strict=False):
        if drawn(runner, case, most):
            return "value"
    if slow or not y:
        return ""
    return drawn(runner, replace(cases[0], dy=tuple(samples.cotangent(rng, a.shape, dtype) for a in y)), 2)


def drawn(runner: Runner, case: Case, most: int = _CALLS) -> str:
    """Return what a runner draws of its answer to a case: value, or gradient alone; empty if nothing.

    No tolerance is known for such numbers.
    """
    settings = runner.state()
    try:
        found = _differing(runner, case, most)
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
        if are_others(first.value, again.value):
            return "value"
        found = found or ("gradient" if are_others(first.vjp, again.vjp) else "")
    return found
