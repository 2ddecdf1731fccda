"""Single numbers for which no side has a gradient: they are numbers of Python, as a width or a count is."""

from dataclasses import replace
from typing import Any, Final

from porting.pairs.array import array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.guess import Guess, Names
from porting.pairs.said_by_names import bounds, number_for
from porting.pairs.suitable import Ops, answers_of, constant, works

_SINGLE: Final = (array(()), array((), domain=POSITIVE_RANGE))
_APART: Final = 0.5  # two numbers that are equal may hide that they are exchanged


def numbers_of_nobody(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with numbers of Python for single numbers that no side has a gradient for, if all take them.

    Drawn as arrays they are 0 and negative too: a width, or a number of bits, is neither. Of those
    that must be positive a function may ask whether they are, which no graph can tell it of an array.
    """
    pair = found.pair
    single = [n for n, a in pair.inputs.items() if a in _SINGLE]
    positive = [n for n in single if pair.inputs[n].domain]
    if len(pair.compared) < 2 or not single or len(single) == len(pair.inputs):
        return None
    before = works(pair, ops)[0]
    learned_by_none = constant([list(answers_of(pair, op, runner)) for op, runner in ops(pair).values()])
    fixed = [n for n in names_of(found.settings)[0] if n in learned_by_none and n in single]
    if not fixed:
        return None
    for whole in (False, True):
        given = _apart(fixed, positive, whole=whole)
        rest = {n: a for n, a in pair.inputs.items() if n not in given}
        tried = replace(pair, inputs=rest, statics={**pair.statics, **given})
        if works(tried, ops)[0] >= before:
            said = "are numbers" if len(fixed) > 1 else "is a number"
            better = replace(found, settings={**found.settings, **given}, constant={*found.constant, *fixed})
            return better.with_(tried, f"{', '.join(fixed)} {said} that no side has a gradient for")
    return None


def _apart(names: list[str], positive: list[str], *, whole: bool) -> dict[str, Any]:
    """Return a number for each name, no two the same; lower bounds first, so that they are below upper ones."""
    given: dict[str, Any] = {}
    ends = bounds(names)
    for name in sorted(names, key=lambda n: ends.get(n, (0.0, 0.0))):
        value = abs(number_for(name)) if name in positive else number_for(name)
        value = value if whole or isinstance(value, float) else value + _APART
        while value in given.values():
            value += 1
        given[name] = value
    return {name: given[name] for name in names}
