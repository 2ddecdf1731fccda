"""What inputs a pair takes where its source tells which arguments are Python's numbers, flags and texts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product, takewhile
from typing import Any, Final

from porting.pairs.choices import choices_of, one_of
from porting.pairs.guess import Guess, of_arrays, taken_with
from porting.pairs.patience import Patience
from porting.pairs.referred import ANY_FUNCTION
from porting.pairs.said_by_calls import functions_in
from porting.pairs.said_by_casts import cast_in, defaults_in
from porting.pairs.said_by_names import whole_or_not
from porting.pairs.said_by_source import annotations_of, flags_of

_KINDS: Final = {"float": float, "int": int}
_MOST: Final = 8  # ways to set flags and texts
_PATIENCE: Final = 20.0  # seconds: each way may be searched for inputs


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
    texts = {n: t for n, t in _texts(names, functions).items() if n not in flags}
    by_annotation, by_cast, by_default = _numbers([n for n in names[1:] if n not in {*flags, *texts}], functions)
    numbers = {**by_default, **by_cast, **by_annotation}
    settings = list(islice(_settings(flags, texts, numbers), _MOST))
    tried = [(s, replace(pair, statics={**pair.statics, **s})) for s in settings if s and len(s) < len(names)]
    patience = Patience(_PATIENCE)
    in_time = takewhile(lambda _: not patience.over, tried)
    suits = ((s, found) for s, one in in_time if (found := taken_with(one, s, names)))
    own = ((s, of_arrays(one, s, names)) for s, one in tried if not one.refused)  # one side takes it, another does not
    if (first := next(suits, None) or next(own, None)) is None:
        return None
    given, found = first
    other = "False is refused" if flags and given[flags[0]] else "True is not tried"
    said = [_said(flags, "a flag", "flags", f" in the source, {other}")] if flags else []
    said += [one_of(n, several, given[n]) for n, several in texts.items()]
    for such, where in ((by_annotation, "by annotation"), (by_cast, "in the source")):
        how = f" of Python {where}, without a gradient"
        said += [_said([*such], "a number", "numbers", how)] if such else []
    said += [f"{n} is {value!r} by the default of one side" for n, value in by_default.items()]
    return found.with_(found.pair, *said)


def _settings(
    flags: Sequence[str], texts: Mapping[str, Sequence[Any]], numbers: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield what flags and texts may be, with the numbers: all flags False, then True."""
    for value in (False, True) if flags else (False,):
        for chosen in product(*texts.values()):
            yield {**dict.fromkeys(flags, value), **dict(zip(texts, chosen, strict=True)), **numbers}


def _texts(names: Sequence[str], functions: Sequence[Callable[..., Any]]) -> dict[str, list[Any]]:
    """Return the arguments that a side compares with texts, with those of all sides; what it calls is a function."""
    said: list[dict[str, list[Any]]] = [{**choices_of(f, names[1:])} for f in functions]
    said += [{n: [ANY_FUNCTION] for n in functions_in(f, names)} for f in functions]
    found = {n: list(dict.fromkeys(text for one in said for text in one.get(n, ()))) for n in names}
    return {n: texts for n, texts in found.items() if texts}


def _said(names: Sequence[str], one: str, several: str, how: str) -> str:
    return f"{', '.join(names)} {f'are {several}' if len(names) > 1 else f'is {one}'}{how}"


def _numbers(
    names: Sequence[str], functions: Sequence[Callable[..., Any]]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the arguments that are numbers of Python, with one each: by annotation, in the source, by a default.

    By annotation if all sides that annotate them call them so. A default says so if it is no real number: that may be a
    parameter, which is learned. Where a side has a default, it is the number.
    """
    said = [annotations_of(f) for f in functions]
    kinds = {n: {one[n] for one in said if n in one} for n in names}
    defaults = {n: d for f in reversed(functions) for n, d in defaults_in(f).items() if n in names}
    annotated = {n: _KINDS[next(iter(k))] for n, k in kinds.items() if len(k) == 1 and k <= _KINDS.keys()}
    cast = {n: kind for f in functions for n, kind in cast_in(f, names).items() if n not in annotated}
    by_annotation, by_cast = (
        {n: defaults.get(n, whole_or_not(n, kind)) for n, kind in kinds.items()} for kinds in (annotated, cast)
    )
    rest = {n: d for n, d in defaults.items() if n not in {*annotated, *cast} and not isinstance(d, float)}
    return by_annotation, by_cast, rest
