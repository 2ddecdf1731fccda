"""A guess of inputs made better: real numbers, labels, bounds, positive parameters, numbers of axes that all take."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

from porting.dtypes import is_inexact
from porting.errors import PortingError, UnsaidError
from porting.pairs.array import array
from porting.pairs.candidates import POSITIVE_RANGE
from porting.pairs.definite_where_finite import definite_where_finite
from porting.pairs.guess import Guess, Names, Said
from porting.pairs.learned_numbers import learned_numbers
from porting.pairs.lengths import as_long_as_said
from porting.pairs.numbers_in_order import numbers_in_order
from porting.pairs.numbers_of_nobody import numbers_of_nobody
from porting.pairs.ordered import in_the_order_that_agrees
from porting.pairs.other_axes import with_channels_last, with_weights_turned
from porting.pairs.real_or_whole import real_where_learned
from porting.pairs.said_by_names import LIMIT, bounds, is_label
from porting.pairs.suitable import (
    BENT,
    TAKEN,
    Ops,
    agree,
    answer_to,
    answers_of,
    is_finite,
    raised_by,
    refusals,
    refused_by_one,
    same_values,
    works,
)
from porting.pairs.where_they_agree import where_they_agree
from porting.runners import Case, Outcome

_FURTHER: Final = 20.0
_POSITIVE_BOUNDS: Final = ((0.1, 0.5), (2.0, 10.0))  # lower ones, upper ones
_NEGATIVE: Final = (-10.0, -0.1)


def bettered(found: Guess | None, pair: Any, names_of: Names, ops: Ops, said: Said) -> Guess | None:
    """Return a guess, or the pair as it is, with what further calls say of its inputs; nothing if they say nothing."""
    labelled, in_order = partial(_labelled, said=said), partial(_in_order, said=said)
    layouts = (with_channels_last, with_weights_turned)
    steps = (
        *layouts,
        as_long_as_said,
        numbers_of_nobody,
        learned_numbers,
        definite_where_finite,
        real_where_learned,
        labelled,
        numbers_in_order,
        where_they_agree,
        in_order,
        above_zero,
        _of_axes,
    )
    for better in (*steps, in_the_order_that_agrees):
        with suppress(PortingError):
            found = better(found or Guess(pair, "", {}), names_of, ops) or found
    return found


def _suits(pair: Any, ops: Ops) -> bool:
    """Whether all sides take what is described, with a gradient that fits or that PyTorch puts right."""
    return works(pair, ops)[0] >= TAKEN * BENT


def _of_axes(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same without those numbers of axes that one side refuses, where arrays of any shape are guessed.

    A framework's own function may want matrices, and the other one's take vectors too: that is nobody's mistake. Nor is
    an output of another shape for a vector alone: a side may make a matrix of what it is given.
    """
    pair, forward = found.pair, names_of(found.settings)[0]
    if len(pair.compared) < 2:
        return None
    every = next(iter(ops(pair).values()))[0].inputs
    given = {n: pair.inputs.get(n, array()) for n in every if n in forward or n in pair.inputs}
    free = {n: a.shape[1:] for n, a in given.items() if a.shape[:1] == (...,) and len(a.shape) <= 2}
    if not free:
        return None

    def of(*shape: Any) -> Any:
        shapes = {n: (*shape[: len(shape) - len(last)], *last) for n, last in free.items()}
        return replace(pair, inputs={**given, **{n: replace(given[n], shape=shape) for n, shape in shapes.items()}})

    vectors = _refusal(of("n"), ops, "arrays of one axis")
    batches = _refusal(of("b", "n", "k"), ops, "arrays of three axes")
    if not vectors and _same_shapes(of("n", "k"), ops):
        vectors = _apart_for_vectors(of("n"), ops)
    tried = of("n", "k") if batches else of(..., "n", "k")
    if not (vectors or batches) or not _suits(tried, ops):
        return None
    return found.with_(tried, vectors, batches)


def _refusal(pair: Any, ops: Ops, such: str) -> str:
    """Say which side refuses such arrays; a layer may as soon as it is built for them."""
    try:
        return refused_by_one(pair, ops, such)
    except UnsaidError as error:
        return error.why


def _same_shapes(pair: Any, ops: Ops) -> bool:
    """Whether the outputs of all sides have the same shapes."""
    shapes = [[[y.shape for y in outcome.value] for _, outcome in answers] for _, answers in _answers(pair, ops)]
    return all(one == shapes[0] for one in shapes)


def _apart_for_vectors(pair: Any, ops: Ops) -> str:
    """Say how sides are apart for arrays of one axis: by what one of them raises, or by the shapes of outputs."""
    answers = _answers(pair, ops)
    raised = {title: found for title, each in answers if (found := raised_by([outcome for _, outcome in each]))}
    if raised:
        who, what = next(iter(raised.items()))
        return f"{who}'s {what.stage} raised {what} for arrays of one axis" if len(raised) < len(answers) else ""
    return "" if _same_shapes(pair, ops) else "for arrays of one axis the sides return outputs of other shapes"


def _answers(pair: Any, ops: Ops) -> list[tuple[str, list[tuple[Case, Outcome]]]]:
    """Return who answers, and what."""
    return [(runner.title, list(answers_of(pair, op, runner))) for op, runner in ops(pair).values()]


def above_zero(found: Guess, names_of: Names, ops: Ops) -> Guess | None:
    """Return the same with those parameters positive of which a forward refuses negative numbers, if there are such."""
    pair, forward = found.pair, names_of(found.settings)[0]
    op = next(iter(ops(pair).values()))[0]
    given = {n: pair.inputs.get(n, array()) for n in op.inputs if n in pair.inputs or n in forward}
    held = {n: array(op.contract.shapes.get(n, (...,))) for n in op.inputs if n not in given}
    above, below = ({n: replace(a, domain=ends) for n, a in held.items()} for ends in (POSITIVE_RANGE, _NEGATIVE))
    if not held or not any(refusals(replace(pair, inputs={**given, **below}), ops)):
        return None
    refused = [n for n in held if any(refusals(replace(pair, inputs={**given, **above, n: below[n]}), ops))]
    tried = replace(pair, inputs={**given, **{n: above[n] for n in refused}})
    if not refused or not _suits(tried, ops):
        return None
    return found.with_(tried, f"{', '.join(refused)} {'are' if len(refused) > 1 else 'is'} refused where negative")


def _labelled(found: Guess, names_of: Names, ops: Ops, said: Said) -> Guess | None:
    """Return the same with labels of 0 and 1, if sides have other outputs for real ones, and the same for these.

    Of real ones a side has no gradient: it asks which they are, and another one computes with them. What a side casts
    to whole numbers is a label too.
    """
    pair, forward = found.pair, names_of(found.settings)[0]
    free = {n: pair.inputs.get(n, array()) for n in forward}
    wholes = said(forward).wholes
    real = [n for n, a in free.items() if a == array(a.shape) and (is_label(n) or n in wholes)]
    if not real:
        return None
    before = [list(answers_of(pair, op, runner)) for op, runner in ops(pair).values()]
    learned = [
        {n for case, o in each for n, g in zip(case.op.wrt, o.vjp, strict=False) if g is not None} for each in before
    ]
    # What is called a label one side may compute with; what is cast may be data, whose gradient one side has lost.
    labels = [n for n in real if not (all if is_label(n) else any)(n in those for those in learned)]
    if not labels or len(before) < 2 or (same_values(before) and same_values(_further_out(pair, ops, before))):
        return None
    how = ("by their names" if len(labels) > 1 else "by its name") if all(map(is_label, labels)) else "in the source"
    for dtype in ("int64", "int32"):
        whole = {n: array(free[n].shape, dtype=dtype, domain=range(2)) for n in labels}
        tried = replace(pair, inputs={**free, **whole})
        if _suits(tried, ops) and agree(tried, ops):
            holds = "hold" if len(labels) > 1 else "holds"
            return found.with_(tried, f"{', '.join(labels)} {holds} whole numbers {how}")
    return None


def _further_out(
    pair: Any, ops: Ops, asked: Sequence[Sequence[tuple[Case, Outcome]]]
) -> list[list[tuple[Case, Outcome]]]:
    """Return what the sides answer to larger numbers: one number alone may be the same on both by chance."""
    at = {n: x * _FURTHER if is_inexact(x) else x for n, x in asked[0][0][0].inputs.items()}
    return [[answer_to(op, runner, at)] for op, runner in ops(pair).values()]


def _in_order(found: Guess, names_of: Names, ops: Ops, *, said: Said) -> Guess | None:
    """Return the same with lower bounds below upper ones and limits above 0, by names and sources, if all take them."""
    pair, forward = found.pair, names_of(found.settings)[0]
    every = next(iter(ops(pair).values()))[0].inputs
    at = {n: pair.inputs.get(n, array()) for n in every}
    free = {n for n, a in at.items() if a.kind is None and a.differentiated and a.domain in {None, POSITIVE_RANGE}}
    alone = dict.fromkeys(said(every).limits, LIMIT)
    limits = {n: d for n, d in {**alone, **bounds(every)}.items() if n in free}
    if any(at[n].domain for n in limits):
        limits = {n: _POSITIVE_BOUNDS[low > 0] for n, (low, _) in limits.items()}
    if not limits:
        return None
    inputs = {n: replace(at[n], domain=limits.get(n, at[n].domain)) for n in every if n in {*forward, *limits}}
    tried = replace(pair, inputs=inputs)
    answers = [outcome for op, runner in ops(tried).values() for _, outcome in answers_of(tried, op, runner)]
    if not _suits(tried, ops) or not all(is_finite(y) for outcome in answers for y in outcome.value):
        return None
    are, their = ("is a bound", "its name") if len(limits) == 1 else ("are bounds", "their names")
    by = "in the source" if {*limits} <= {*alone} else f"by {their}"
    return found.with_(tried, f"{', '.join(limits)} {are} {by}")
