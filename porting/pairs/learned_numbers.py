"""Bounds that are numbers of Python by a guess, and for which all sides have a gradient: they are learned."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.array import Array, array
from porting.pairs.guess import Guess, Names
from porting.pairs.said_by_names import bounds
from porting.pairs.suitable import Ops, answers_of, works
from porting.runners import Case, Outcome

_NEAR: Final = 0.5  # of a number: so far may others be from it
Answers = Sequence[tuple[Case, Outcome]]


def learned_numbers(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with such bounds as inputs that are differentiated, if all sides take them."""
    pair = found.pair
    limits = {*bounds([*found.settings])} - {*found.constant}
    numbers = {n: v for n, v in found.settings.items() if n in limits and type(v) in {int, float} and v}
    if len(pair.compared) < 2 or not numbers or not pair.inputs:
        return None
    arrays = {n: _around(v) for n, v in numbers.items()}
    order = [n for n in names_of({})[0] if n in {*pair.inputs, *arrays}]
    inputs = {n: {**pair.inputs, **arrays}[n] for n in [*order, *(n for n in pair.inputs if n not in order)]}
    tried = replace(pair, inputs=inputs, statics={n: v for n, v in pair.statics.items() if n not in numbers})
    if works(tried, ops)[0] < works(pair, ops)[0]:
        return None
    if not all(_learns(list(answers_of(tried, op, runner)), arrays) for op, runner in ops(tried).values()):
        return None
    settings = {n: v for n, v in found.settings.items() if n not in numbers}
    have = "have a gradient" if len(numbers) > 1 else "has a gradient"
    return replace(found, settings=settings).with_(tried, f"{', '.join(numbers)} {have} on all sides")


def _around(number: float) -> Array:
    low, high = sorted((number * (1 - _NEAR), number * (1 + _NEAR)))
    return array((), domain=(low, high))


def _learns(answers: Answers, names: dict[str, Any]) -> bool:
    """Whether a side has a gradient by each of some inputs that is not 0 throughout."""
    given = [(n, g) for case, o in answers for n, g in zip(case.op.wrt, o.vjp, strict=False) if g is not None]
    return all(any(n == name and g.any() for n, g in given) for name in names)
