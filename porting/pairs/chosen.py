"""Texts that a constructor wants, one of those that its source compares an argument with."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product
from typing import Any, Final

from porting.errors import PortingError
from porting.pairs.array import array
from porting.pairs.choices import choices_of, one_of
from porting.pairs.constructor import initialiser
from porting.pairs.guess import Guess, Names, taken_with
from porting.pairs.patience import Patience
from porting.pairs.referred import ANY_FUNCTION
from porting.pairs.said_by_calls import functions_in
from porting.pairs.suitable import BENT, TAKEN, Ops, works

_MOST: Final = 6  # ways to choose
_PATIENCE: Final = 10.0  # seconds


def texts_wanted(things: Iterable[Any], wanted: Sequence[str]) -> dict[str, list[Any]]:
    """Return those of the arguments that constructors want and compare with texts, with these texts; and functions."""
    found: dict[str, list[Any]] = {}
    for thing in things:
        found |= {name: [ANY_FUNCTION] for name in functions_in(initialiser(thing), wanted)}
        for name, texts in choices_of(initialiser(thing), wanted).items():
            found.setdefault(name, []).extend(text for text in texts if text not in found.get(name, ()))
    return found


def chosen(pair: Any, texts: Mapping[str, Sequence[Any]], names_of: Names, ops: Ops) -> Guess | None:
    """Return what the inputs are with the first of the texts that all sides take.

    What is made with a function of ours and takes ``*args`` has one input, as the function has.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    texts : mapping of str to sequence of str
        See `texts_wanted`.
    names_of : callable
        Given what a constructor wants, returns the inputs.
    ops : callable
        Given such a pair, returns the op of each side and who answers for it.
    """
    patience = Patience(_PATIENCE)
    for some in islice(product(*texts.values()), _MOST):
        if patience.over:
            break
        given = dict(zip(texts, some, strict=True))
        tried = replace(pair, statics={**pair.statics, **given})
        found = None
        with suppress(PortingError):  # a side has not all of them
            found = taken_with(tried, given, names_of(given)[0])
        if found is None and ANY_FUNCTION in given.values():
            with suppress(PortingError):
                found = _of_one_input(tried, given, ops)
        if found:
            return found.with_(found.pair, *(one_of(n, texts[n], text) for n, text in given.items()))
    return None


def _of_one_input(pair: Any, given: Mapping[str, Any], ops: Ops) -> Guess | None:
    tried = replace(pair, inputs={"x": array()})
    return Guess(tried, "", given) if works(tried, ops)[0] >= TAKEN * BENT else None
