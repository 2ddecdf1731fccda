"""What inputs a pair takes, found by trying, where nothing is said of them and a side refuses arrays of any shape."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Final, TypeAlias

from porting.errors import PairError, PortingError, UnsaidError
from porting.pairs.array import BOOL, Array, array
from porting.pairs.candidates import POSITIVE_RANGE, of_complex, positive, short, tries
from porting.pairs.said_by_names import Description, bounds, by_name, constructions, is_label, numbered, options_for
from porting.pairs.suitable import (
    ALL,
    BENT,
    STILL,
    TAKEN,
    answers_of,
    is_finite,
    raised_by,
    refused_by_one,
    refuses,
    same_values,
    works,
)
from porting.runners import Runner
from porting.spec import Op

Names: TypeAlias = Callable[[Mapping[str, Any]], tuple[Sequence[str], Collection[int], Mapping[str, int]]]
_COMPLEX: Final = re.compile("(?i)complex")  # what a function of complex numbers says of real ones
_PATIENCE: Final = 10.0  # seconds
_NEGATIVE: Final = (-10.0, -0.1)
_ASKED: Final = (0.3, 1.5)  # a number that was data, where its gradient is asked for


@dataclass(frozen=True)
class Guess:
    """What was found.

    Attributes
    ----------
    pair : porting.Pair
        The pair, with inputs that are described.
    why : str
        Why it was looked for.
    settings : mapping
        The arguments that are numbers of Python.
    still : bool
        Whether no output was seen to depend on any input.
    constant : collection of str
        The arguments for which no side has a gradient.
    forwards : bool
        Whether the forwards alone suit it: a side has no gradient that is fit for it.
    """

    pair: Any
    why: str
    settings: Mapping[str, Any]
    still: bool = False
    constant: Collection[str] = ()
    forwards: bool = False

    @property
    def flags(self) -> str:
        """The options that say the same."""
        return self._options(self.pair.inputs)

    def _options(self, inputs: Mapping[str, Array]) -> str:
        said = [f'--input "{given.part or name}={given}"' for name, given in inputs.items()]
        return " ".join([*said, *(_typed(name, value) for name, value in self.settings.items())])

    @property
    def _uncompared(self) -> str:
        """What is said of gradients that no side has: they may have been forgotten on all of them."""
        asked = {n: array((), domain=_ASKED) for n, a in self.pair.inputs.items() if n in self.constant and a.kind}
        fixed = [n for n, value in self.settings.items() if n in self.constant and isinstance(value, float)]
        how = f": {self._options({**self.pair.inputs, **asked})} compares it" if asked else ""
        left = " and ".join([*asked, *fixed])
        return f"; no side has a gradient by {left}, so none is compared{how}" if left else ""

    def __str__(self) -> str:
        """Return why it was looked for, what is not compared so, and the options that say the same."""
        return f"   (guessed, {self.why}{self._uncompared}; the same is {self.flags})"


def guess(
    pair: Any,
    wanted: Sequence[str],
    names_of: Names,
    ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]],
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
    """
    why, forward, constant = _refused(pair, ops, names_of)
    found = None
    with suppress(PortingError):
        found = _above_zero(Guess(pair, why, {}), names_of, ops) if forward else None
    found = found or _searched(pair, wanted, names_of, ops, (why, forward, constant))
    if found is None and why:
        return None
    with suppress(PortingError):
        found = _labelled(found or Guess(pair, "", {}), names_of, ops) or found
    with suppress(PortingError):
        found = _in_order(found or Guess(pair, "", {}), names_of, ops) or found
    with suppress(PortingError):
        found = _above_zero(found or Guess(pair, "", {}), names_of, ops) or found
    with suppress(PortingError):
        found = (_of_axes(found or Guess(pair, "", {}), names_of, ops) if len(pair.compared) > 1 else None) or found
    return found


def _of_axes(found: Guess, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return the same without those numbers of axes that one side refuses, where arrays of any shape are guessed.

    A framework's own function may want matrices, and the other one's take vectors too: that is nobody's mistake.
    """
    pair, forward = found.pair, names_of(found.settings)[0]
    every = next(iter(ops(pair).values()))[0].inputs
    given = {n: pair.inputs.get(n, array()) for n in every if n in forward or n in pair.inputs}
    free = [n for n in given if given[n].shape == (...,)]
    if not free:
        return None

    def of(*shape: Any) -> Any:
        return replace(pair, inputs={**given, **{n: replace(given[n], shape=shape) for n in free}})

    vectors = refused_by_one(of("n"), ops, "arrays of one axis")
    batches = refused_by_one(of("b", "n", "k"), ops, "arrays of three axes")
    tried = of("n", "k") if batches else of(..., "n", "k")
    if not (vectors or batches) or works(tried, ops)[0] < TAKEN * BENT:
        return None
    return replace(found, pair=tried, why="; ".join(filter(None, (found.why, vectors, batches))))


def _above_zero(found: Guess, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return the same with those parameters positive of which a forward refuses negative numbers, if there are such."""
    pair, forward = found.pair, names_of(found.settings)[0]
    op = next(iter(ops(pair).values()))[0]
    given = {n: pair.inputs.get(n, array()) for n in op.inputs if n in pair.inputs or n in forward}
    held = {n: array(op.contract.shapes.get(n, (...,))) for n in op.inputs if n not in given}
    above, below = ({n: replace(a, domain=ends) for n, a in held.items()} for ends in (POSITIVE_RANGE, _NEGATIVE))
    if not held or not refuses(replace(pair, inputs={**given, **below}), ops):
        return None
    refused = [n for n in held if refuses(replace(pair, inputs={**given, **above, n: below[n]}), ops)]
    tried = replace(pair, inputs={**given, **{n: above[n] for n in refused}})
    if not refused or works(tried, ops)[0] < TAKEN * BENT:
        return None
    said = f"{', '.join(refused)} {'are' if len(refused) > 1 else 'is'} refused where negative"
    return replace(found, pair=tried, why="; ".join(filter(None, (found.why, said))))


def _labelled(found: Guess, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return the same with labels of 0 and 1, if sides have other outputs for real ones, and the same for these.

    Of real ones a side has no gradient: it asks which they are, and another one computes with them.
    """
    pair, forward = found.pair, names_of(found.settings)[0]
    free = {n: pair.inputs.get(n, array()) for n in forward}
    said = {runner.title: list(answers_of(pair, op, runner)) for op, runner in ops(pair).values()}
    learned = [
        {n for case, o in each for n, g in zip(case.op.wrt, o.vjp, strict=False) if g is not None}
        for each in said.values()
    ]
    labels = [n for n, a in free.items() if a == array() and is_label(n) and not all(n in those for those in learned)]
    if not labels or len(said) < 2 or same_values(said.values()):
        return None
    whole = array(dtype="int64", domain=range(2))
    tried = replace(pair, inputs={n: whole if n in labels else a for n, a in free.items()})
    if works(tried, ops)[0] < TAKEN * BENT:
        return None
    answers = [list(answers_of(tried, op, runner)) for op, runner in ops(tried).values()]
    why = f"{', '.join(labels)} {'hold' if len(labels) > 1 else 'holds'} whole numbers by its name"
    return replace(found, pair=tried, why="; ".join(filter(None, (found.why, why)))) if same_values(answers) else None


def _in_order(found: Guess, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> Guess | None:
    """Return the same with lower bounds below upper ones, if there are such by their names and all sides take them."""
    pair, forward = found.pair, names_of(found.settings)[0]
    every = next(iter(ops(pair).values()))[0].inputs
    at = {n: pair.inputs.get(n, array()) for n in every}
    limits = {n: d for n, d in bounds(every).items() if at[n].domain is at[n].kind is None and at[n].differentiated}
    if not limits:
        return None
    inputs = {n: replace(at[n], domain=limits.get(n, at[n].domain)) for n in every if n in {*forward, *limits}}
    tried = replace(pair, inputs=inputs)
    answers = [outcome for op, runner in ops(tried).values() for _, outcome in answers_of(tried, op, runner)]
    if works(tried, ops)[0] < TAKEN * BENT or not all(is_finite(y) for outcome in answers for y in outcome.value):
        return None
    said = f"{', '.join(limits)} {'are bounds by their names' if len(limits) > 1 else 'is a bound by its name'}"
    return replace(found, pair=tried, why="; ".join(filter(None, (found.why, said))))


def _searched(
    pair: Any,
    wanted: Sequence[str],
    names_of: Names,
    ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]],
    refused: tuple[str, bool, Collection[str]],
) -> Guess | None:
    """Return the description that most speaks for, or the first one that all does."""
    until = monotonic() + _PATIENCE
    why, forward, constant = refused
    best, most = None, 0.0
    complex_alone = _COMPLEX.search(why) is not None and forward
    called = _made(wanted, names_of, why, turned=complex_alone)
    for settings, described in called if why else by_name(names_of({})[0], constant, several=len(pair.compared) > 1):
        if monotonic() > until:
            break
        if best is not None and most >= TAKEN and settings != best.settings:
            continue  # another number of Python in place of an input would hide its gradient
        if best is not None and any(a.dtype == BOOL for a in described.values()):
            continue  # and so would a mask
        for whole in (described, short(described)) if short(described) != described else (described,):
            for inputs in (whole, positive(whole)):
                with suppress(PortingError):
                    tried = replace(pair, inputs=inputs, statics={**pair.statics, **settings})
                    speaks, defined = works(tried, ops)
                    reason = why or numbered(settings, described)
                    found = Guess(tried, reason, settings, speaks == STILL, constant, STILL < speaks < TAKEN * BENT)
                    if speaks == ALL or (speaks >= TAKEN and not why):
                        return found
                    if speaks > most and (forward or speaks > TAKEN):
                        best, most = found, speaks
                    if defined:
                        break
    return best


def advice(pair: Any, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> str:
    """Return what to say of the inputs, if a side refuses arrays of any shape and there is no guess; else nothing.

    Where something is said of them, a parameter may be left of which a side refuses negative numbers.
    """
    if pair.inputs:
        with suppress(PortingError):
            found = _above_zero(Guess(pair, "", {}), names_of, ops)
            return f"{found.why}; say so: {found.flags}" if found else ""
        return ""
    why, _, _ = _refused(pair, ops, names_of)
    return f"nothing that was tried is taken by all sides; {options_for(names_of({})[0], why)}" if why else ""


def _made(
    wanted: Sequence[str], names_of: Names, why: str, *, turned: bool
) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield what constructors and functions may be given, and what their inputs may be; complex numbers if `turned`."""
    for made in constructions(wanted):
        with suppress(PortingError):
            names, lengths, lists = names_of(made)
            if turned:
                yield from ((made, described) for described in of_complex(names))
            for these in [_apart(names, lists), names] if lists else [names]:
                if made or these is not names:
                    yield made, {n: array() for n in these}
                yield from (({**made, **settings}, described) for settings, described in tries(these, lengths, why))


def _apart(names: Sequence[str], lists: Mapping[str, int]) -> list[str]:
    """Return the inputs, with the parts of a list in its place."""
    parts = {n: [f"{n}.{k}" for k in range(count)] for n, count in lists.items()}
    return [part for n in names for part in parts.get(n, [n])]


def _refused(
    pair: Any, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]], names_of: Names
) -> tuple[str, bool, Collection[str]]:
    """Return who refuses arrays of any shape, and what it says; nothing if nobody does. Then whether a forward does.

    At last what no side has a gradient for.
    """
    try:
        said = {runner.title: list(answers_of(pair, op, runner)) for op, runner in ops(pair).values()}
    except UnsaidError as error:
        return error.why, True, ()
    except PairError as error:
        if not names_of({})[2]:  # one side may take a list, and another one its parts
            raise
        return str(error), True, ()
    raises = {who: raised_by([outcome for _, outcome in answers]) for who, answers in said.items()}
    refused = {who: raised for who, raised in raises.items() if raised is not None}
    if not refused:
        answers = [answer for each in said.values() for answer in each]
        learned = {n for case, o in answers for n, g in zip(case.op.wrt, o.vjp, strict=False) if g is not None}
        return "", False, {n for case, _ in answers for n in case.op.wrt} - learned
    who, raised = next(iter(refused.items()))
    others = " and ".join(one for one in said if one not in refused)
    takes = f", which {others} takes" if others else ""
    forward = any(r.stage == "forward" for r in refused.values())
    return f"{who} raised {raised} for arrays of any shape{takes}", forward, ()


def _typed(name: str, value: Any) -> str:
    """Return a static as a shell takes it in one piece."""
    return f'--static "{name}={value}"' if isinstance(value, tuple) else f"--static {name}={value}"
