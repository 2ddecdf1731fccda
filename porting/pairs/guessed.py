"""What inputs a pair takes, found by trying, where nothing is said of them and a side refuses arrays of any shape."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from porting.dtypes import FLOATS
from porting.errors import PairError, PortingError, UnsaidError
from porting.pairs.absent import filled_in
from porting.pairs.array import BOOL, COMPLEX, Array, array
from porting.pairs.bettered import above_zero, bettered
from porting.pairs.by_source import by_source, in_words
from porting.pairs.candidates import is_plain, of_complex, ranges, short, tries
from porting.pairs.given_defaults import given_defaults
from porting.pairs.guess import Guess, Names, Said
from porting.pairs.lengths import made_with, wide_as_said
from porting.pairs.other_axes import of_images
from porting.pairs.patience import Patience
from porting.pairs.refused_default import other_default
from porting.pairs.said_by_names import (
    Description,
    by_name,
    example_for,
    numbered,
    options_for,
    told_apart,
    wanted_by,
)
from porting.pairs.said_by_slices import of_widths
from porting.pairs.suitable import ALL, BENT, STILL, TAKEN, UNSUMMED, Ops, answers_of, constant, raised_by, works
from porting.pairs.wanted_types import of_types, whole_numbers, wholes_wanted
from porting.runners import Case, Outcome, Raised
from porting.runners.base import TRIED, asked_for_the_truth

_COMPLEX: Final = re.compile("(?i)complex")  # what a function of complex numbers says of real ones
_TYPE: Final = re.compile(r"(?i)\bcomplex(64|128|float|double)\b")  # what a backward wants: not what it returned
BACKWARD: Final = "every forward takes some of the inputs that were tried, and a backward raises for all of them"
_IMAGE: Final = 4  # axes
_PATIENCE: Final = 10.0  # seconds
_OWN: Final = {"NameError", "ImportError", "ModuleNotFoundError"}  # exceptions that no inputs are the reason of
# Nor of these.
_LACKING: Final = re.compile("^AttributeError: module '.*' has no attribute |^the op returned .* is wanted; ")
_SPARSE: Final = re.compile("(?i)must be a sparse ?tensor")  # which no array is
_WRAP: Final = (
    "--input gives arrays, and none is a sparse tensor: check a function around each side that takes the values and "
    "makes the sparse tensor of them"
)


def guess(
    pair: Any,
    wanted: Sequence[str],
    names_of: Names,
    ops: Ops,
    said: Said,
) -> Guess | None:
    """Return a description of the inputs that all sides take, if one of them refuses arrays of any shape.

    A side that takes them may be no measure: it may broadcast, or slice, what is not meant for it. Where no guess suits
    all, one is taken that suits one side and the forward of the others: their backward is what is looked at.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    wanted : sequence of str
        What constructors of modules want.
    names_of : callable
        Given that, returns the inputs, in order, lengths that a module has, and how many parts the lists among the
        inputs have.
    ops : callable
        Given such a pair, returns the op of each side and who answers for it.
    said : callable
        Given names, returns what the sources say of them, see `Saying`.
    """
    refused = _refused(pair, ops, names_of)
    with asked_for_the_truth(TRIED):  # a side that does not come back from what is only tried is not accused
        return _found(pair, wanted, names_of, ops, refused, said)


def _found(
    pair: Any, wanted: Sequence[str], names_of: Names, ops: Ops, refused: tuple[str, bool, Collection[str]], said: Said
) -> Guess | None:
    why, forward, _ = refused
    found = None
    with suppress(PortingError):
        if forward:
            found = _filled_in(pair, why, names_of, ops) or above_zero(Guess(pair, why, {}), names_of, ops)
        elif why:
            found = given_defaults(pair, names_of({})[0], why, ops)
    images, patience = len(wanted_by(why)) >= _IMAGE, _PATIENCE if forward else 0.0
    found = found or (of_images(pair, wanted, names_of, ops, why, patience) if images else None)
    found = found or _searched(pair, wanted, names_of, ops, refused, said)
    found = found or (_filled_in(pair, why, names_of, ops, last=True) if forward else None)
    found = found or (of_images(pair, wanted, names_of, ops, why, patience) if not images else None)
    found = found or (_example(pair, names_of, ops, why, said) if forward and why else None)
    if found is None and why:
        return None
    return bettered(found, pair, names_of, ops, said)


def _example(pair: Any, names_of: Names, ops: Ops, why: str, said: Said) -> Guess | None:
    """Return the guess of what would be printed as an example of what could be typed."""
    with suppress(PortingError):
        names = names_of({})[0]
        given = example_for(names, why, _known(pair, names, why, ops, said))
        inputs = {n: x for n, x in given.items() if isinstance(x, Array)}
        settings = {n: v for n, v in given.items() if n not in inputs}
        tried = replace(pair, inputs=inputs, statics={**pair.statics, **settings})
        speaks, _ = _works(tried, ops, why)
        return _rated(Guess(tried, why, settings), speaks) if speaks >= TAKEN else None
    return None


def _filled_in(pair: Any, why: str, names_of: Names, ops: Ops, *, last: bool = False) -> Guess | None:
    """Return the guess with numbers for arguments whose default is refused, see `filled_in` and `other_default`."""
    with suppress(PortingError):  # a class that wants numbers has no op yet
        statics = {n: d for n, d in next(iter(ops(pair).values()))[0].statics.items() if n not in pair.statics}
        absent = [n for n, default in statics.items() if default is None]
        found = filled_in(pair, names_of({})[0], absent, why, ops, last=last) if absent else None
        return found or (None if last else other_default(pair, names_of({})[0], statics, why, ops))
    return None


def _searched(
    pair: Any,
    wanted: Sequence[str],
    names_of: Names,
    ops: Ops,
    refused: tuple[str, bool, Collection[str]],
    said: Said,
) -> Guess | None:
    """Return the description that most speaks for, or the first one that all does."""
    patience = Patience(_PATIENCE)
    why, forward, constant = refused
    best, most = None, 0.0
    complex_alone = _COMPLEX.search(why) is not None and (forward or _TYPE.search(why) is not None)
    every = (
        _made(made_with(wanted, pair.statics), pair.statics, names_of, why, said, turned=complex_alone)
        if why
        else _by_name(pair, names_of, said, constant)
    )
    for alike, described in chain(_of_types(pair, names_of, why, ops) if forward else (), every):
        settings = told_apart(alike)
        if patience.over:
            break
        if best is not None and most >= TAKEN and settings != best.settings:
            continue  # another number of Python in place of an input would hide its gradient
        if (best is not None and _hides(described)) or not _get_gradients(described, pair.contract.wrt or ()):
            continue  # and so would a mask; whole numbers get no gradient
        for whole in (described, short(described)) if short(described) != described else (described,):
            for inputs in ranges(whole):
                with suppress(PortingError):
                    tried = replace(pair, inputs=inputs, statics={**pair.statics, **settings})
                    speaks, defined = _works(tried, ops, why)
                    reason = why or numbered(settings, described)
                    found = _rated(Guess(tried, reason, settings, constant=constant), speaks)
                    if speaks == ALL or (speaks >= TAKEN and not why):
                        return found
                    least = TAKEN * BENT if _hides(described) else most
                    if speaks > max(most, least) and (forward or speaks > TAKEN):
                        best, most = found, speaks
                    if defined and (speaks or not is_plain(whole)):  # what is taken by nobody may be so for its numbers
                        break
    return best


def _of_types(pair: Any, names_of: Names, why: str, ops: Ops) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield inputs of which one is of the whole numbers that an error asks for."""
    with suppress(PortingError):  # a class that wants numbers has no op yet
        names = names_of({})[0]
        yield from (({}, described) for described in of_types(names, wholes_wanted(pair, names, why, ops)))


def _hides(described: Description) -> bool:
    """Whether inputs have no gradient, or fit any: a mask has none, and a single element the shape of all."""
    return any(a.dtype == BOOL for a in described.values()) or all(a.shape == (1,) for a in described.values())


def _get_gradients(described: Description, wrt: Collection[str]) -> bool:
    """Whether what somebody said gets a gradient can have one."""
    return all(a.dtype in {*FLOATS, *COMPLEX} for name, a in described.items() if name in wrt)


def _by_name(
    pair: Any, names_of: Names, said: Said, constant: Collection[str]
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield what are numbers by their names, see `by_name`; what a source annotates as a tensor is none."""
    names = names_of({})[0]
    yield from by_name(names, {*constant} - {*said(names).tensors}, several=len(pair.compared) > 1)


def _rated(found: Guess, speaks: float) -> Guess:
    """Return a guess with what follows from how much speaks for it: it may suit the forwards alone, or no gradient."""
    least = TAKEN * BENT
    unfit = len(found.pair.compared) > 1 and least <= speaks < UNSUMMED
    return replace(found, still=speaks == STILL, forwards=STILL < speaks < least, unfit=unfit)


def _works(tried: Any, ops: Ops, why: str) -> tuple[float, bool]:
    """Return what `works` does; nothing speaks for a number by its name alone that no side takes for one.

    Then every side returns a gradient of the shape that an array would have, and nobody refuses arrays.
    """
    speaks, defined = works(tried, ops)
    is_array = not why and len(tried.compared) > 1 and TAKEN < speaks < UNSUMMED
    return 0.0 if is_array else speaks, defined


def advice(pair: Any, names_of: Names, ops: Ops, said: Said) -> str:
    """Return what to say of the inputs, if a side refuses arrays of any shape and there is no guess; else nothing.

    Where something is said of them, a parameter may be left of which a side refuses negative numbers.
    """
    if pair.inputs:
        with suppress(PortingError):
            found = above_zero(Guess(pair, "", {}), names_of, ops)
            return f"{found.why}; say so: {found.flags}" if found else ""
        return ""
    why, forward, _ = _refused(pair, ops, names_of)
    if _SPARSE.search(why):
        return f"{why}; {_WRAP}"
    if why and not forward:
        return BACKWARD
    if not why:
        return ""
    names = names_of({})[0]
    options = options_for(names, why, _known(pair, names, why, ops, said))
    return f"nothing that was tried is taken by all sides; {options}"


def _known(pair: Any, names: Sequence[str], why: str, ops: Ops, said: Said) -> dict[str, Any]:
    """Return what arguments are by the source, a flag or a text, or by what a side says: whole numbers."""
    told = said(names)
    flags = {n: False for n in names[1:] if n in told.flags}
    texts = {n: several[0] for n, several in told.texts.items()}
    return {
        **flags,
        **texts,
        **{n: whole_numbers(t, ("n", "k")) for n, t in wholes_wanted(pair, names, why, ops).items()},
    }


def _made(
    given: Iterable[Mapping[str, Any]],
    statics: Mapping[str, Any],
    names_of: Names,
    why: str,
    said: Said,
    *,
    turned: bool,
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield what constructors and functions may be given, and what their inputs may be; complex numbers if `turned`."""
    for made in map(dict, given):
        with suppress(PortingError):
            names, lengths, lists = names_of(made)
            if turned:
                yield from ((made, described) for described in of_complex(names))
            yield from (({**made, **settings}, described) for settings, described in by_source(names, said(names)))
            for these in [_apart(names, lists), names] if lists else [names]:
                yield from (({**made, **settings}, described) for settings, described in in_words(these, said(these)))
                yield from ((made, described) for described in of_widths(these, said(these).widths, why))
                if made or these is not names:
                    yield made, {n: array() for n in these}
                yield from (
                    ({**made, **settings}, described) for settings, described in wide_as_said(these, statics, why)
                )
                free = (tried for tried in tries(these, lengths, why) if not {*tried[0]} & {*made})
                yield from (({**made, **settings}, described) for settings, described in free)


def _apart(names: Sequence[str], lists: Mapping[str, int]) -> list[str]:
    """Return the inputs, with the parts of a list in its place."""
    parts = {n: [f"{n}.{k}" for k in range(count)] for n, count in lists.items()}
    return [part for n in names for part in parts.get(n, [n])]


def _refused(pair: Any, ops: Ops, names_of: Names) -> tuple[str, bool, Collection[str]]:
    """Return who refuses arrays of any shape, and what it says; nothing if nobody does. Then whether a forward does.

    At last what no side has a gradient for.
    """
    try:
        said = _answers(pair, ops)
    except UnsaidError as error:
        return error.why, True, ()
    except PairError as error:
        if not names_of({})[2]:  # one side may take a list, and another one its parts
            raise
        return str(error), True, ()
    raises = {who: raised_by([outcome for _, outcome in answers]) for who, answers in said.items()}
    if any(raised is not None and _is_own(raised) for raised in raises.values()):
        return "", False, ()
    refused = {who: raised for who, raised in raises.items() if raised is not None}
    if not refused:
        return "", False, constant(list(said.values()))
    who, raised = max(refused.items(), key=_says_what_is_wanted)
    others = " and ".join(one for one in said if one not in refused)
    takes = f", some of which {others} takes" if others else ""
    forward = any(r.stage == "forward" for r in refused.values())
    return f"{who} raised {raised} for arrays of any shape{takes}", forward, ()


def _answers(pair: Any, ops: Ops) -> dict[str, list[tuple[Case, Outcome]]]:
    """Return what the sides answer to arrays of any shape, up to the first that says it wants images.

    TensorFlow ends the process for a convolution of something else.
    """
    said = {}
    for op, runner in ops(pair).values():
        said[runner.title] = list(answers_of(pair, op, runner))
        raised = raised_by([outcome for _, outcome in said[runner.title]])
        if raised is not None and raised.stage == "forward" and len(wanted_by(str(raised))) >= _IMAGE:
            break
    return said


def _is_own(raised: Raised) -> bool:
    """Whether no inputs are the reason of an exception."""
    return raised.type in _OWN or _LACKING.search(str(raised)) is not None


def _says_what_is_wanted(one: tuple[str, Raised]) -> tuple[bool, bool]:
    """Rank a side and what it raised: first who wants what no array is, then who says which shape."""
    said = str(one[1])
    return _SPARSE.search(said) is not None, bool(wanted_by(said))
