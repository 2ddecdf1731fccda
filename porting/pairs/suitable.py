"""How well described inputs suit the sides of a pair: who takes them, and what comes of it."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np

from porting.dtypes import complex_of
from porting.pairs.array import BOOL
from porting.pairs.examples import Call
from porting.runners import Case, Outcome, Raised, Runner
from porting.spec import Op

ALL: Final = 1.0  # that speaks for inputs
TAKEN: Final = 0.8  # of that: all sides take them
_ODD: Final = 0.1  # all sides take them for others: a gradient has neither the shape of its input nor of an output
STILL: Final = 0.05  # nothing depends on them
BENT: Final = 0.9  # of a side whose gradient has another shape than its input, as PyTorch puts right: a number, say
UNSUMMED: Final = 0.93  # no more speaks for inputs where no side has a gradient of the shape of one of them
# What PyTorch says of a backward that has a gradient for an argument, where a number was given: it is a tensor.
_OF_A_NUMBER: Final = re.compile("corresponding forward input was not a Variable")
_ODD_SHAPE: Final = re.compile("returned an invalid gradient")  # which PyTorch refuses; TensorFlow hands it out
# Given a pair whose inputs are described: the op of each side and who answers for it.
Ops: TypeAlias = Callable[[Any], Mapping[str, tuple[Op, Runner]]]
_TYPES: Final = ("float64", "float32")  # a side may take one of them only
_SLOW: Final = 1.0  # second for the first of two lengths: it has to do for such a function


def works(pair: Any, ops: Ops) -> tuple[float, bool]:
    """Return what speaks for the inputs, from 0 to 1; nothing does if no side takes them, or a forward refuses them.

    Nor if a number is meant as a tensor: a backward has a gradient for it.

    The most part is how many sides take them, the rest whether the outputs of all sides have one shape. Then whether
    it is no matter of numbers: no backward raises for what a forward has no finite value for.
    """
    taken, outputs, odd, still = [], [], [], []
    defined, refuses, empty = True, False, False
    for op, runner in ops(pair).values():
        answers = list(answers_of(pair, op, runner, raw=not pair.axes))  # a raw gradient has the side's own axes
        raised = raised_by([outcome for _, outcome in answers])
        if raised is not None and (raised.stage == "forward" or (pair.statics and _OF_A_NUMBER.search(raised.message))):
            return 0.0, True
        fits = all(_fits(case, outcome, pair.inputs) for case, outcome in answers)
        refuses |= raised is not None and not _ODD_SHAPE.search(raised.message)
        taken.append(0.0 if raised is not None else 1.0 if fits else BENT)
        defined &= raised is None or all(is_finite(y) for _, outcome in answers for y in outcome.value)
        outputs.append([[y.shape for y in outcome.value] for _, outcome in answers])
        odd.append(any(_is_odd(case, outcome) for case, outcome in answers))
        still.append(_is_still([outcome for _, outcome in answers]))
        empty |= any(_is_empty(outcome) for _, outcome in answers)
    if not any(taken) or (refuses and ALL not in taken):  # a backward raises, and other gradients have odd shapes
        return 0.0, defined
    if empty or (all(taken) and all(still)):
        return STILL, defined
    if all(taken) and all(odd):
        return _ODD, defined
    both = min(map(len, outputs))  # a first call may take so long that there is no second one
    same = all(one[:both] == outputs[0][:both] for one in outputs)
    return TAKEN * sum(taken) / len(taken) + (ALL - TAKEN) * same, defined


def refusals(pair: Any, ops: Ops) -> list[bool]:
    """Return of each side whether its forward raises for such inputs."""
    return [one is not None and one.stage == "forward" for one in _raised_by_sides(pair, ops)]


def refused_by_all(pair: Any, ops: Ops) -> bool:
    """Whether every side raises for such inputs, and a forward does: a backward alone may be wrong on all of them."""
    raised = _raised_by_sides(pair, ops)
    return None not in raised and any(one is not None and one.stage == "forward" for one in raised)


def _raised_by_sides(pair: Any, ops: Ops) -> list[Raised | None]:
    asked = ops(pair).values()
    return [raised_by([outcome for _, outcome in answers_of(pair, op, runner)]) for op, runner in asked]


def refused_by_one(pair: Any, ops: Ops, such: str, *, places: bool = False) -> str:
    """Return which forward raises for `such` inputs, and what, if another one takes them; with `places`, where."""
    raised: dict[str, Raised | None] = {}
    for op, runner in ops(pair).values():
        described = SimpleNamespace(inputs=pair.inputs, contract=op.contract)
        inputs = dict(zip(op.inputs, Call(op.inputs, described, {}, guessed=True).inputs(), strict=True))
        settings = runner.state()
        for dtype in _TYPES:
            at = {n: x.astype(dtype) if x.dtype.kind == "f" else x for n, x in inputs.items()}
            raised[runner.title] = runner.run(Case(op, dtype, at)).raised
            if raised[runner.title] is None:
                break
        runner.restore(settings)
    at = {who: f", at {one.where}" if places and one is not None and one.where else "" for who, one in raised.items()}
    said = [f"{who} raised {one}{at[who]}" for who, one in raised.items() if one is not None]
    others = [who for who, one in raised.items() if one is None]
    return f"{said[0]} for {such}, which {' and '.join(others)} takes" if said and others else ""


def same_values(answers: Collection[Sequence[tuple[Case, Outcome]]]) -> bool:
    """Whether all sides have the same outputs, to the digits of float32."""
    first, *others = ([y for _, outcome in each for y in outcome.value] for each in answers)
    return all(
        len(one) == len(first)
        and all(y.shape == want.shape and np.allclose(y, want, 1e-4, 1e-6) for y, want in zip(one, first, strict=True))
        for one in others
    )


def agree(pair: Any, ops: Ops) -> bool:
    """Whether all sides have the same values, to the digits of float32."""
    return same_values([list(answers_of(pair, *one)) for one in ops(pair).values()])


def constant(answers: Sequence[Sequence[tuple[Case, Outcome]]]) -> set[str]:
    """Return what no side has a gradient for: one has None, and another one may have zeros."""
    given = [(n, g) for each in answers for case, o in each for n, g in zip(case.op.wrt, o.vjp, strict=False)]
    learned = {n for n, g in given if g is not None and g.any()}
    return {n for n, g in given if g is None} - learned


def is_finite(y: np.ndarray[Any, Any]) -> bool:
    """Whether no element is NaN or infinite."""
    return y.dtype.kind not in "fc" or bool(np.isfinite(y).all())


def _is_odd(case: Case, outcome: Outcome) -> bool:
    """Whether a gradient has a shape that is not its input's, and no output's: one that is not summed has that."""
    outputs = {y.shape for y in outcome.value}
    return any(shape not in {case.inputs[name].shape, *outputs} for name, shape in _shapes(case, outcome))


def _is_still(answers: Sequence[Outcome]) -> bool:
    """Whether outputs have one number each, whatever the inputs are, or none at all, and no gradient.

    Outputs of whole numbers have none either, whatever those depend on.
    """
    numbers = [
        np.concatenate([y.reshape(-1) for y in those]) for those in zip(*(o.value for o in answers), strict=False)
    ]
    gradients = [g for outcome in answers for g in outcome.vjp if g is not None]
    constant = all(not y.size or (y.size > 1 and (y == y[0]).all()) for y in numbers)
    whole = all(y.dtype.kind not in "fc" for y in numbers)
    return bool(numbers) and (constant or whole) and not any(np.any(g) for g in gradients)


def _is_empty(outcome: Outcome) -> bool:
    """Whether no output has an element: a length that was drawn may leave nothing."""
    return bool(outcome.value) and not any(y.size for y in outcome.value)


def _fits(case: Case, outcome: Outcome, described: Collection[str]) -> bool:
    """Whether gradients have the shapes of the guessed inputs; a parameter has its own shape in any case."""
    return all(shape == case.inputs[name].shape for name, shape in _shapes(case, outcome) if name in described)


def _shapes(case: Case, outcome: Outcome) -> list[tuple[str, tuple[int, ...]]]:
    raw = outcome.vjp if outcome.raw is None else outcome.raw
    return [(name, g.shape) for name, g in zip(case.op.wrt, raw, strict=False) if g is not None]


def raised_by(answers: Sequence[Outcome]) -> Raised | None:
    """Return what a forward raised, else what a backward did."""
    raised = [outcome.raised for outcome in answers if outcome.raised is not None]
    return next((one for one in raised if one.stage == "forward"), raised[0] if raised else None)


def answers_of(
    pair: Any, op: Op, runner: Runner, *, raw: bool = False, times: int = 1
) -> Iterator[tuple[Case, Outcome]]:
    """Yield what a side is asked and answers for lengths of two kinds: in float64, or in float32 if it raises there.

    It is asked so with several numbers, if they are wanted.
    """
    described = SimpleNamespace(inputs=pair.inputs, contract=op.contract)  # parameters have shapes too
    until = monotonic() + _SLOW
    for seed, other in product(range(times), (False, True)):
        call = Call(op.inputs, described, {}, guessed=True, seed=seed)
        inputs = dict(zip(op.inputs, call.inputs(other=other), strict=True))
        for name, said in pair.inputs.items():
            if isinstance(said.domain, range) and said.dtype != BOOL:  # the largest place must be there
                inputs[name] = np.full_like(inputs[name], said.domain[-1])
        for name in op.inputs if pair.inputs else ():
            if name not in pair.inputs:  # a parameter, of which a negative number may be refused
                inputs[name] = np.abs(inputs[name])
        answer = answer_to(op, runner, inputs, raw=raw)
        yield answer
        if answer[1].raised or monotonic() > until:
            return


def answer_to(op: Op, runner: Runner, inputs: Mapping[str, Any], *, raw: bool = False) -> tuple[Case, Outcome]:
    """Return what a side is asked and answers for some numbers: in float64, or in float32 if it raises there."""
    settings = runner.state()
    try:
        answer = _answered(op, runner, inputs, "float64", raw=raw)
        if answer[1].raised:
            narrow = _answered(op, runner, inputs, "float32", raw=raw)
            answer = answer if narrow[1].raised else narrow
    finally:
        runner.restore(settings)
    return answer


def _answered(op: Op, runner: Runner, inputs: Mapping[str, Any], dtype: str, *, raw: bool) -> tuple[Case, Outcome]:
    kinds = {"f": dtype, "c": complex_of(dtype)}
    at = {n: x.astype(kinds.get(x.dtype.kind, x.dtype)) for n, x in inputs.items()}
    case = Case(op, dtype, at)
    outcome = runner.run(case)
    if outcome.raised is None:
        dy = tuple(np.ones(y.shape, kinds["c" if np.iscomplexobj(y) else "f"]) for y in outcome.value)
        case = replace(case, dy=dy, raw=raw)
        outcome = runner.run(case)
    return case, outcome
