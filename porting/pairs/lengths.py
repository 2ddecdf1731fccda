"""Lengths among the statics, by their names: what another constructor calls otherwise, and how long the data is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from porting.errors import PortingError
from porting.pairs.array import array
from porting.pairs.candidates import settings_of
from porting.pairs.guess import Guess, Names
from porting.pairs.said_by_names import Description, constructions, wanted_by
from porting.pairs.suitable import BENT, TAKEN, Ops, works

_WHAT: Final = r"(features?|channels?|units|dims?|sizes?|width|planes|neurons)"
# Of what goes in: `in_features`, `n_features`, `input_dim`, `channels`; `dim` alone is an axis, `size` may be a window.
_IN: Final = re.compile(
    rf"(?i)(in|input|inputs|n|num|embed(ding)?|d)_?{_WHAT}|features|channels|d_?model|n_?in|n_?inputs|num_?inputs"
)
# Of what comes out: `out_features`, `filters`.
_OUT: Final = re.compile(rf"(?i)(out|output|outputs|hidden)_?{_WHAT}|\w*units|filters|n_?out|num_?(out|outputs|units)")
_IMAGE: Final = 4  # axes
_LAST: Final = 2  # axes: of more, the last one may be no data's width


def made_with(wanted: Sequence[str], statics: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what constructors may be given: first the lengths that another one is given under another name.

    Parameters
    ----------
    wanted : sequence of str
        The arguments that nobody gave.
    statics : mapping
        What somebody gave.
    """
    known = _known(wanted, statics)
    seen: list[dict[str, Any]] = []
    for more in (known, {}) if known else ({},):
        for made in constructions(wanted):
            given = {**made, **more}
            if given not in seen:
                seen.append(given)
                yield given


def wide_as_said(
    names: Sequence[str], statics: Mapping[str, Any], why: str
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield inputs whose last axis is as long as a static says, which is called as the width of data is.

    Of images, where an error asks `why` there are none, the channels are as many, first or last.
    """
    settings = settings_of(names)
    rest = [n for n in names if n not in settings]
    for length in dict.fromkeys(widths(statics).values()):
        images = (("n", length, 5, 5), ("n", 5, 5, length))
        for shape in images if len(wanted_by(why)) >= _IMAGE else (("n", length),):
            yield settings, {n: array(shape) for n in rest}


def with_inputs_as_said(pair: Any, wanted: Sequence[str], ops: Ops) -> Guess | None:
    """Return what constructors are given that another one is given under another name, where the inputs are said.

    Nothing else is tried: who says the inputs can say the other numbers too.

    Parameters
    ----------
    pair : porting.Pair
        With inputs.
    wanted : sequence of str
        What constructors of modules want.
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    """
    known = _known(wanted, pair.statics)
    if not wanted or known.keys() != {*wanted}:
        return None
    with suppress(PortingError):
        tried = replace(pair, statics={**pair.statics, **known})
        if works(tried, ops)[0] >= TAKEN * BENT:
            return Guess(tried, f"nobody gave {', '.join(wanted)}", known)
    return None


def as_long_as_said(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with a last axis as long as a static of modules says, which no side's parameters may show.

    A factor of the gradient may follow from it on one side, and from the data on the other one.
    """
    pair = found.pair
    names, lengths, lists = names_of(found.settings)
    said = {n: v for n, v in widths(pair.statics).items() if v in lengths and n not in found.settings}
    given = {n: pair.inputs.get(n, array()) for n in names}
    last = given[names[0]].shape[-1:] if names and not lists else ()
    if len(said) != 1 or not last or last[0] in lengths:
        return None
    (name, length), *_ = said.items()
    longer = {n: replace(a, shape=_with_last(a.shape, last[0], length)) for n, a in given.items()}
    tried = replace(pair, inputs={**pair.inputs, **longer})
    if all(a.shape == given[n].shape for n, a in longer.items()) or works(tried, ops)[0] < TAKEN * BENT:
        return None
    return found.with_(tried, f"the last axis of {names[0]} is as long as {name} says")


def widths(statics: Mapping[str, Any]) -> dict[str, int]:
    """Return the statics that are lengths of data by their names."""
    return {n: v for n, v in statics.items() if _IN.fullmatch(n) and type(v) is int and v > 1}


def _with_last(shape: tuple[Any, ...], last: Any, length: int) -> tuple[Any, ...]:
    """Return a shape with another length of its last axis, if that is free and one of few; else a batch of rows."""
    if shape == (...,):
        return ("n", length)
    return (*shape[:-1], length) if shape[-1:] == (last,) and len(shape) <= _LAST else shape


def _known(wanted: Sequence[str], statics: Mapping[str, Any]) -> dict[str, Any]:
    return {n: length for n in wanted if (length := _as_another(n, statics)) is not None}


def _as_another(name: str, statics: Mapping[str, Any]) -> int | None:
    """Return the one length among the statics that an argument may be, by their names."""
    for kind in (_OUT, _IN):
        if kind.fullmatch(name):
            found = {v for n, v in statics.items() if kind.fullmatch(n) and type(v) is int}
            return found.pop() if len(found) == 1 else None
    return None
