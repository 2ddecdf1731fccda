"""What an argument is whose default is None, where a side cannot do without it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.array import array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.guess import Guess, taken_with
from porting.pairs.said_by_names import number_for
from porting.pairs.suitable import TAKEN, Ops, works

_NONE: Final = re.compile(r"\bNone(Type)?\b")  # what Python says of arithmetic with it


def filled_in(
    pair: Any, names: Sequence[str], statics: Sequence[str], why: str, ops: Ops, *, last: bool = False
) -> Guess | None:
    """Return what the inputs are with numbers for arguments that are None by default, if all sides take these.

    A side may want an array there: one number, positive, which is an input then.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs.
    statics : sequence of str
        The arguments that are None.
    why : str
        What a side says that refuses arrays of any shape: where it names none of them, nor None, nothing is tried.
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    last : bool
        Whether they are tried all the same: nothing else is taken.
    """
    for absent in _asked_for(statics, "None" if last else why):
        given = {name: number_for(name) for name in absent}
        one = replace(pair, statics={**pair.statics, **given})
        said = ", ".join(f"{name}=None is refused" for name in absent)
        if found := taken_with(one, given, names):
            return found.with_(found.pair, said)
        scalars = {name: array((), domain=POSITIVE_RANGE) for name in absent}
        tried = replace(pair, inputs={**{name: array() for name in names}, **scalars})
        if works(tried, ops)[0] >= TAKEN:
            return Guess(tried, said, {})
    return None


def _asked_for(statics: Sequence[str], why: str) -> Iterator[Sequence[str]]:
    """Yield those that are named, else each of them, else all."""
    named = [name for name in statics if re.search(rf"\b{re.escape(name)}\b", why)]
    if named:
        yield named
    elif statics and _NONE.search(why):
        yield from ([name] for name in statics)
        if len(statics) > 1:
            yield statics
