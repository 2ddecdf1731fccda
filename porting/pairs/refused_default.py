"""What an argument is whose default divides by zero: an ``alpha=1.0`` of which a side takes ``1 / (alpha - 1)``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.guess import Guess, taken_with

_SAID: Final = "ZeroDivisionError"
_BESIDE: Final[dict[type, Any]] = {float: 0.5, int: 1}


def other_default(pair: Any, names: Sequence[str], statics: Mapping[str, Any], why: str) -> Guess | None:
    """Return what the inputs are with another number than a default that divides by zero, if all sides take that.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs.
    statics : mapping
        The arguments that have their defaults, with these: those that are no whole numbers are tried first.
    why : str
        What a side says that refuses arrays of any shape.
    """
    if _SAID not in why:
        return None
    numbers = [(n, d + beside) for kind, beside in _BESIDE.items() for n, d in statics.items() if type(d) is kind]
    for name, number in numbers:
        given = {name: number}
        found = taken_with(replace(pair, statics={**pair.statics, **given}), given, names)
        if found:
            return found.with_(found.pair, f"{name}={statics[name]} divides by zero")
    return None
