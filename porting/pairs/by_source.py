"""What the arguments of a function may be, by what the sources say of them; the likeliest first."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Any, Final

from porting.pairs.array import BOOL, array
from porting.pairs.candidates import settings_of, with_whole
from porting.pairs.guess import Saying
from porting.pairs.said_by_comments import Shape
from porting.pairs.said_by_names import Description, is_whole

_COMBINED: Final = 30  # ways to fill in the shapes of which nothing is said
_UNNAMED: Final = re.compile(r"\d$")  # x0: what the first axis of x is called where its source calls it nothing
_PARTS: Final = (2, 3, 4, 6, 7, 8, 9)
_LEAST: Final = 2  # of the lengths of named axes: labels below it are places of any of them


def by_source(names: Sequence[str], told: Saying) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield inputs of which some are True or False, positive definite, or places, if the sources say so.

    The numbers of Python that names say stand beside places.

    Parameters
    ----------
    names : sequence of str
        The arguments.
    told : Saying
        What the sources say.
    """
    if told.booleans:  # one for each element, or one for all beside other numbers
        for axes in ((...,), ()):
            of = {n: array(axes if k else (...,)) for k, n in enumerate(names)}
            yield {}, {n: replace(a, dtype=BOOL) if n in told.booleans else a for n, a in of.items()}
    if told.definite:  # with what goes with such a matrix
        beside = (("n",), ("n", "k"), ("m", "n"), ("n", 1), ("n", "n"))
        for shape in beside if len(told.definite) < len(names) else ((),):
            yield {}, {n: array(("n", "n"), kind="spd") if n in told.definite else array(shape) for n in names}
    if told.indices:
        settings = settings_of([n for n in names if n not in told.indices])
        rest = [n for n in names if n not in settings]
        real = [n for n in rest if n not in told.indices]
        yield from ((settings, described) for described in (with_whole(rest, real) if real else ()))


def in_words(names: Sequence[str], told: Saying) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield inputs of the shapes that the sources say of some of them.

    Any other one has any shape, that of the largest of these, the last of its axes, or another one of them.
    """
    settings = settings_of([n for n in names if n not in told.shapes])
    rest = [n for n in names if n not in settings]
    known = {n: told.shapes[n] for n in rest if n in told.shapes}
    whole = {n for n in rest if is_whole(n) or n in told.indices}
    for numbers in dict.fromkeys((frozenset(whole | {*told.wholes} & {*rest}), frozenset(whole))):
        for described in (known, _of_one_batch(known)):
            yield from _filled(rest, settings, described, numbers)
    last = max(known.values(), key=len, default=())[-1:]
    if last and isinstance(last[0], str) and not _UNNAMED.search(last[0]):  # a quaternion, say, whose parts are taken
        for length in _PARTS:
            yield from islice(
                _filled(rest, settings, {n: _with(axes, last[0], length) for n, axes in known.items()}, whole), 1
            )


def _with(axes: Shape, name: str, length: int) -> Shape:
    return tuple(length if axis == name else axis for axis in axes)


def _of_one_batch(known: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the shapes with the first axis that the others have where nobody called it anything."""
    unnamed = {n for n, axes in known.items() if axes[:1] == (f"{n.lower()}0",)}
    firsts = {axes[0] for n, axes in known.items() if n not in unnamed and axes}
    batch = firsts.pop() if unnamed and len(firsts) == 1 else None
    return {n: (batch, *axes[1:]) if n in unnamed else axes for n, axes in known.items()} if batch else {}


def _filled(
    rest: Sequence[str], settings: dict[str, Any], known: Mapping[str, Shape], whole: Collection[str]
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield inputs of these shapes, and of such ones for the rest; first with some `whole`."""
    if not known:
        return
    largest = max(known.values(), key=len)
    others = list(dict.fromkeys([(...,), largest, largest[-1:], *known.values()]))
    unknown = [n for n in rest if n not in known]
    for fill in islice(product(others, repeat=len(unknown)), _COMBINED):
        of = {**known, **dict(zip(unknown, fill, strict=True))}
        if whole and len(whole) < len(rest):
            labels = {n: array(of[n], dtype="int64", domain=range(_LEAST)) for n in whole}
            yield settings, {n: labels.get(n, array(of[n])) for n in rest}
        yield settings, {n: array(of[n]) for n in rest}
