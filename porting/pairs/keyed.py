"""What inputs a pair takes where an argument is a dictionary by its source, and a side refuses what it is else."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import Any

from porting.errors import PortingError
from porting.pairs.array import UNSAID
from porting.pairs.guess import Guess, taken_with, typed
from porting.pairs.said_by_keys import Keyed, keyed_in
from porting.pairs.suitable import Ops, refusals


def dictionaries(
    names: Sequence[str], statics: Mapping[str, Any], functions: Sequence[Callable[..., Any]]
) -> dict[str, Keyed]:
    """Return the arguments that are dictionaries by the source: those without a default, and those that are None.

    Parameters
    ----------
    names : sequence of str
        What stands for inputs.
    statics : mapping
        The arguments that have their defaults, with these.
    functions : sequence of callable
        The sides.
    """
    absent = [n for n, default in statics.items() if default is None]
    return keyed_in(functions, [*names[1:], *absent])


def with_keys(pair: Any, names: Sequence[str], found: Mapping[str, Keyed], ops: Ops) -> Guess | None:
    """Return what the inputs are with the dictionaries whose values the source has, if all sides take that.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        What stands for inputs.
    found : mapping of str to Keyed
        The dictionaries: where a value of one is not read, it may hold arrays, whose gradient a number would hide.
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    """
    given = {n: keyed.given for n, keyed in found.items()}
    if not given or not all(keyed.is_read for keyed in found.values()) or not any(refusals(pair, ops)):
        return None
    with suppress(PortingError):
        rest = [n for n in names if n not in given]
        tried = replace(pair, statics={**pair.statics, **deepcopy(given)})  # a side may write to it
        if taken := taken_with(tried, given, rest):
            said = [f"{n} is a dictionary in the source, these values alone are compared" for n in given]
            return taken.with_(replace(taken.pair, statics={**taken.pair.statics, **given}), *said)
    return None


def said_of(found: Mapping[str, Keyed]) -> str:
    """Return what to type for dictionaries; empty if there are none."""
    return "; ".join(f"{n} is a dictionary in the source: {_typed(n, keyed)}" for n, keyed in found.items())


def _typed(name: str, keyed: Keyed) -> str:
    """Return the options for one, with a mark for each value that the source does not have: it may be a tensor."""
    if keyed.is_read:
        return f"{typed(name, keyed.given)} has its values"
    items = ", ".join(f"{key!r}: {UNSAID if value == UNSAID else repr(value)}" for key, value in keyed.given.items())
    parts = [f'--input "{name}.{k}=float64[{UNSAID}]"' for k, v in keyed.given.items() if v == UNSAID]
    return f'--static "{name}={{{items}}}", or {" ".join(parts)} where it holds tensors'
