"""Numbers that nobody gave, for which the sides have other values: those are taken for which they have the same."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import cycle
from typing import Any, Final

import numpy as np

from porting.errors import PortingError
from porting.pairs.array import array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.guess import Guess, Names
from porting.pairs.said_by_names import LITTLE, bounds
from porting.pairs.suitable import BENT, TAKEN, Ops, agree, answers_of, works

_FACTORS: Final = ((2,), (4,), (4, 2), (2, 4))  # of the numbers in turn: of the bits of a float some are its exponent's

_LITTLE: Final = 0.01
_NUMBERS: Final = (array(()), array((1,)))  # of which nothing is said


def where_they_agree(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with other numbers, or inputs between two bounds, or above 0, if the values agree only so.

    Of two bits a format may have none left for a mantissa, what is cast to a byte from beyond its ends is a number of
    each framework's own, and so is what is clipped between 0 and a bound below it. Values alone are asked: what is
    wrong with a gradient stays as it is found.
    """
    numbers = [n for n, a in found.pair.inputs.items() if a in _NUMBERS]
    if len(found.pair.compared) < 2 or not (found.settings or numbers) or agree(found.pair, ops):
        return None
    for better in _ways(found, names_of):
        with suppress(PortingError):
            suits = works(better.pair, ops)[0] >= TAKEN * BENT and agree(better.pair, ops)
            if suits and not _hands_on(better.pair, ops):
                return better
    return None


def _hands_on(pair: Any, ops: Ops) -> bool:
    """Whether the sides return an input as it is: of what is held between bounds, that says nothing where it is."""
    answers = [one for op, runner in ops(pair).values() for one in answers_of(pair, op, runner)]
    return all(any(np.array_equal(y, x) for y in o.value for x in case.inputs.values()) for case, o in answers)


def _ways(found: Guess, names_of: Names) -> Iterator[Guess]:
    pair = found.pair
    whole = {n: v for n, v in found.settings.items() if type(v) is int and v > 1}
    said = ", ".join(f"{n}={v}" for n, v in whole.items())
    for factors in dict.fromkeys(tuple(of[: len(whole)]) for of in _FACTORS) if whole else ():
        larger = {n: factor * v for factor, (n, v) in zip(cycle(factors), whole.items(), strict=False)}
        tried = replace(found, settings={**found.settings, **larger})
        yield tried.with_(_with(pair, larger), f"with {said} the sides have other values")
    little = {n: _LITTLE for n, v in found.settings.items() if type(v) is float and LITTLE.fullmatch(n)}
    if little:
        tried = replace(found, settings={**found.settings, **little})
        said = ", ".join(f"{n}={found.settings[n]}" for n in little)
        yield tried.with_(_with(pair, little), f"with {said} the sides have other values")
    ends = [found.settings[n] for n in bounds([*found.settings])]
    given = {n: pair.inputs.get(n, array()) for n in names_of(found.settings)[0]}
    free = {n: a for n, a in given.items() if a == array(a.shape)}
    if free and len(ends) == 2 and {*map(type, ends)} <= {int, float}:
        inside = {n: replace(a, domain=(float(min(ends)), float(max(ends)))) for n, a in free.items()}
        tried = replace(pair, inputs={**pair.inputs, **inside})
        yield found.with_(tried, "beyond the bounds the sides have other values")
    numbers = {n: replace(a, domain=POSITIVE_RANGE) for n, a in pair.inputs.items() if a in _NUMBERS}
    if numbers:
        tried = replace(pair, inputs={**pair.inputs, **numbers})
        yield found.with_(tried, f"with {', '.join(numbers)} below 0 the sides have other values")


def _with(pair: Any, statics: dict[str, Any]) -> Any:
    return replace(pair, statics={**pair.statics, **statics})
