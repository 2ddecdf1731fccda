"""What inputs a pair takes where its source tells which arguments are Python's numbers and flags."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.array import array
from porting.pairs.guess import Guess
from porting.pairs.said_by_names import whole_or_not
from porting.pairs.said_by_source import annotations_of, flags_of

_KINDS: Final = {"float": float, "int": int}


def told(pair: Any, names: Sequence[str], functions: Sequence[Callable[..., Any]]) -> Guess | None:
    """Return what the inputs are, if some of them are no arrays by the source, and not all sides refuse them then.

    As an array, a flag would be one thing for ``if flag`` and another one for ``flag is True``; a number may be saved,
    or asked for its bits, as no array can be. What one side alone refuses is its own.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        What stands for inputs: the arguments without a default.
    functions : sequence of callable
        The sides.
    """
    flags = [n for n in names[1:] if any(n in flags_of(f, names) for f in functions)]
    numbers = {n: v for n, v in _numbers(names[1:], functions).items() if n not in flags}
    settings = [{**dict.fromkeys(flags, value), **numbers} for value in ((False, True) if flags else (False,))]
    tried = [(s, replace(pair, statics={**pair.statics, **s})) for s in settings if s and len(s) < len(names)]
    suits = ((s, one) for s, one in tried if one.guess() is not None or not one.advice)
    own = ((s, one) for s, one in tried if not one.refused)  # one side takes it, and another one does not
    if (first := next(suits, None) or next(own, None)) is None:
        return None
    given, one = first
    found = one.guess() or Guess(replace(one, inputs={n: array() for n in names if n not in given}), "", {})
    other = "False is refused" if flags and given[flags[0]] else "True is not tried"
    said = [_said(flags, "a flag", "flags", f" in the source, {other}")] if flags else []
    how = " of Python by annotation, without a gradient"
    said += [_said([*numbers], "a number", "numbers", how)] if numbers else []
    return replace(found, settings={**found.settings, **given}).with_(found.pair, *said)


def _said(names: Sequence[str], one: str, several: str, how: str) -> str:
    return f"{', '.join(names)} {f'are {several}' if len(names) > 1 else f'is {one}'}{how}"


def _numbers(names: Sequence[str], functions: Sequence[Callable[..., Any]]) -> dict[str, Any]:
    """Return the arguments that all sides which annotate them call by one of Python's kinds of numbers."""
    said = [annotations_of(f) for f in functions]
    kinds = {n: {one[n] for one in said if n in one} for n in names}
    return {n: whole_or_not(n, _KINDS[next(iter(k))]) for n, k in kinds.items() if len(k) == 1 and k <= _KINDS.keys()}
