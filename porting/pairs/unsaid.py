"""What to do where a module refuses what it was made of, or called with, and nobody said what it takes."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

from porting.errors import PairError, PortingError, UnsaidError
from porting.pairs.guess import Guess
from porting.pairs.pair import Pair

# What a side says of a number that should have been an array or an object: the guess is what is wrong.
_OF_A_NUMBER: Final = re.compile(r"'(float|int|bool)' object|(not|got|found|of type) ['\"]?(float|int|bool)\b")


def instead(pair: Pair, error: UnsaidError, *, guessed: bool) -> Guess:
    """Return a guess of what was not said: one that all sides take, or the only one that does not refuse everything.

    Parameters
    ----------
    pair : Pair
        What is checked.
    error : UnsaidError
        What refuses it.
    guessed : bool
        Whether it is a guess already.

    Raises
    ------
    PairError
        If there is none, with what each side says by itself, and what to type.
    """
    if not guessed and (found := pair.guess()):
        return found
    alone = {} if guessed else _alone(pair)
    taken = [one for one in alone.values() if isinstance(one, Guess)]
    nothing = [one for one in alone.values() if isinstance(one, PairError)]
    if len(taken) == 1 and nothing and not pair.inputs:
        one = taken[0]
        tried = _with(pair, one)
        if _is_made(tried) and (not one.settings or not _OF_A_NUMBER.search(tried.refused_by_one)):
            return replace(one, pair=tried)  # the other one is what is wrong
    raise PairError(_advised(pair, error, alone)) from None


def _with(pair: Pair, one: Guess) -> Pair:
    """Return a pair with what one side takes."""
    return replace(pair, inputs=one.pair.inputs, statics={**pair.statics, **one.pair.statics})


def _is_made(pair: Pair) -> bool:
    """Whether all sides can be made, and called or not, with such inputs."""
    with suppress(PortingError):
        return all(pair.on(key) for key in pair.compared)
    return False


def _alone(pair: Pair) -> dict[str, Guess | PairError | None]:
    """Return what each side takes by itself, or why it takes nothing that was tried; nothing if it takes anything."""
    found: dict[str, Guess | PairError | None] = {}
    for key in pair.sides if len(pair.sides) > 1 else ():
        with suppress(PortingError):
            statics = pair.statics_of(key)
            one = pair.only(key, inputs={}, statics=statics, reference=None, rename={}, axes={}, like=None)
            try:
                one.on(key)
                if one.guess() is None and one.advice:  # it refuses arrays of any shape, and nothing else is known
                    continue
                found[key] = None
            except PairError as error:
                found[key] = error
            if guess := one.guess():
                found[key] = guess
    return found


def _advised(pair: Pair, error: UnsaidError, alone: Mapping[str, Guess | PairError | None]) -> str:
    """Return what a module refuses, with what all sides take, or else what each one says by itself."""
    if pair.inputs and (found := replace(pair, inputs={}, axes={}).guess()):
        return f"{error}; tried, and taken by all sides: {found.flags}"
    said = [f"{error.located}{error.args[1]}; nothing that was tried is taken by all sides"]
    for key, one in alone.items():
        takes = one.flags if isinstance(one, Guess) else "matrices of any shape"
        if not isinstance(one, PairError):
            said.append(f"{key} by itself takes {takes}")
        elif not isinstance(one, UnsaidError):
            said.append(f"by itself, {one}")
        elif one.why not in str(error):
            said.append(f"by itself, {one.located}")
        if isinstance(one, Guess) and (refusal := _refused_together(pair, one)):
            said.append(f"all sides with that: {refusal}")
    return "; ".join(said)


def _refused_together(pair: Pair, one: Guess) -> str:
    """Return what is said where all sides are given what one of them takes; empty if nothing is."""
    tried = _with(pair, one)
    try:
        return tried.refused_by_one
    except UnsaidError as refusal:
        return refusal.located
    except PairError as refusal:  # they cannot be compared, whatever they are called with
        return str(refusal)
