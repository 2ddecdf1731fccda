"""What an argument is whose default divides by zero: an ``alpha=1.0`` of which a side takes ``1 / (alpha - 1)``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.guess import Guess, taken_with
from porting.pairs.suitable import Ops, answers_of, raised_by

_SAID: Final = "ZeroDivisionError"
_BESIDE: Final[dict[type, Any]] = {float: 0.5, int: 1}


def other_default(pair: Any, names: Sequence[str], statics: Mapping[str, Any], why: str, ops: Ops) -> Guess | None:
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
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    """
    if _SAID not in why:
        return None
    numbers = [(n, d + beside) for kind, beside in _BESIDE.items() for n, d in statics.items() if type(d) is kind]
    for name, number in numbers:
        given = {name: number}
        tried = replace(pair, statics={**pair.statics, **given})
        if not _still_divides(tried, ops) and (found := taken_with(tried, given, names)):
            return found.with_(found.pair, f"{name}={statics[name]} divides by zero")
    return None


def _still_divides(pair: Any, ops: Ops) -> bool:
    """Whether a side divides by zero with these statics too: then it is another one that does."""
    raised = [raised_by([outcome for _, outcome in answers_of(pair, *one)]) for one in ops(pair).values()]
    return any(one is not None and one.type == _SAID for one in raised)
