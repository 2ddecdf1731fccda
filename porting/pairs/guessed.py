"""What inputs a pair takes, found by trying, where nothing is said of them and a side refuses arrays of any shape."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np

from porting.errors import PairError, PortingError, UnsaidError
from porting.pairs.array import BOOL, array
from porting.pairs.candidates import (
    Description,
    bounds,
    by_name,
    constructions,
    numbered,
    of_complex,
    options_for,
    positive,
    short,
    tries,
)
from porting.pairs.examples import Call
from porting.runners import Case, Outcome, Raised, Runner
from porting.spec import Op

Names: TypeAlias = Callable[[Mapping[str, Any]], tuple[Sequence[str], Collection[int], Mapping[str, int]]]
_ALL: Final = 1.0  # that speaks for inputs
_TAKEN: Final = 0.8  # of that: all sides take them
_ODD: Final = 0.1  # all sides take them for others: a gradient has neither the shape of its input nor of an output
_STILL: Final = 0.05  # nothing depends on them
_COMPLEX: Final = re.compile("(?i)complex")  # what a function of complex numbers says of real ones
_BENT: Final = 0.9  # of a side whose gradient has another shape than its input, as PyTorch puts right: a number, say
_PATIENCE: Final = 10.0  # seconds
_SLOW: Final = 1.0  # second for the first of two lengths: it has to do for such a function


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
    """

    pair: Any
    why: str
    settings: Mapping[str, Any]
    still: bool = False

    @property
    def flags(self) -> str:
        """The options that say the same."""
        said = [f'--input "{given.part or name}={given}"' for name, given in self.pair.inputs.items()]
        return " ".join([*said, *(_typed(name, value) for name, value in self.settings.items())])

    def __str__(self) -> str:
        """Return why it was looked for, and the options that say the same."""
        return f"   (guessed, {self.why}; the same is {self.flags})"


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
    found = _searched(pair, wanted, names_of, ops, (why, forward, constant))
    if found is None and why:
        return None
    with suppress(PortingError):
        return _in_order(found or Guess(pair, "", {}), names_of, ops) or found
    return found


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
    answers = [outcome for op, runner in ops(tried).values() for _, outcome in _answers(tried, op, runner)]
    if _works(tried, ops)[0] < _TAKEN * _BENT or not all(_finite(y) for outcome in answers for y in outcome.value):
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
    for settings, described in (
        _made(wanted, names_of, turned=complex_alone) if why else by_name(names_of({})[0], constant)
    ):
        if monotonic() > until:
            break
        if best is not None and most >= _TAKEN and settings != best.settings:
            continue  # another number of Python in place of an input would hide its gradient
        if best is not None and any(a.dtype == BOOL for a in described.values()):
            continue  # and so would a mask
        for whole in (described, short(described)) if short(described) != described else (described,):
            for inputs in (whole, positive(whole)):
                with suppress(PortingError):
                    tried = replace(pair, inputs=inputs, statics={**pair.statics, **settings})
                    speaks, defined = _works(tried, ops)
                    found = Guess(tried, why or numbered(settings, described), settings, speaks == _STILL)
                    if speaks == _ALL or (speaks >= _TAKEN and not why):
                        return found
                    if speaks > most and (forward or speaks > _TAKEN):
                        best, most = found, speaks
                    if defined:
                        break
    return best


def advice(pair: Any, names_of: Names, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> str:
    """Return what to say of the inputs, if a side refuses arrays of any shape and there is no guess; else nothing."""
    why, _, _ = _refused(pair, ops, names_of)
    return f"nothing that was tried is taken by all sides; {options_for(names_of({})[0])}" if why else ""


def _made(wanted: Sequence[str], names_of: Names, *, turned: bool) -> Iterator[tuple[dict[str, Any], Description]]:
    """Yield what constructors and functions may be given, and what their inputs may be; complex numbers if `turned`."""
    for made in constructions(wanted):
        with suppress(PortingError):
            names, lengths, lists = names_of(made)
            if turned:
                yield from ((made, described) for described in of_complex(names))
            for these in [_apart(names, lists), names] if lists else [names]:
                if made or these is not names:
                    yield made, {n: array() for n in these}
                yield from (({**made, **settings}, described) for settings, described in tries(these, lengths))


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
        said = {runner.title: list(_answers(pair, op, runner)) for op, runner in ops(pair).values()}
    except UnsaidError as error:
        return error.why, True, ()
    except PairError as error:
        if not names_of({})[2]:  # one side may take a list, and another one its parts
            raise
        return str(error), True, ()
    raises = {who: _raised([outcome for _, outcome in answers]) for who, answers in said.items()}
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


def _works(pair: Any, ops: Callable[[Any], Mapping[str, tuple[Op, Runner]]]) -> tuple[float, bool]:
    """Return what speaks for the inputs, from 0 to 1; nothing does if no side takes them, or a forward refuses them.

    The most part is how many sides take them, the rest whether the outputs of all sides have one shape. Then whether
    it is no matter of numbers: no backward raises for what a forward has no finite value for.
    """
    taken, outputs, odd, still = [], [], [], []
    defined = True
    for op, runner in ops(pair).values():
        answers = list(_answers(pair, op, runner))
        raised = _raised([outcome for _, outcome in answers])
        if raised is not None and raised.stage == "forward":
            return 0.0, True
        fits = all(_fits(case, outcome, pair.inputs) for case, outcome in answers)
        taken.append(0.0 if raised is not None else 1.0 if fits else _BENT)
        defined &= raised is None or all(_finite(y) for _, outcome in answers for y in outcome.value)
        outputs.append([[y.shape for y in outcome.value] for _, outcome in answers])
        odd.append(any(_is_odd(case, outcome) for case, outcome in answers))
        still.append(_is_still([outcome for _, outcome in answers]))
    if not any(taken):
        return 0.0, defined
    if all(taken) and all(still):
        return _STILL, defined
    if all(taken) and all(odd):
        return _ODD, defined
    both = min(map(len, outputs))  # a first call may take so long that there is no second one
    same = all(one[:both] == outputs[0][:both] for one in outputs)
    return _TAKEN * sum(taken) / len(taken) + (_ALL - _TAKEN) * same, defined


def _finite(y: np.ndarray[Any, Any]) -> bool:
    return y.dtype.kind not in "fc" or bool(np.isfinite(y).all())


def _is_odd(case: Case, outcome: Outcome) -> bool:
    """Whether a gradient has a shape that is not its input's, and no output's: one that is not summed has that."""
    outputs = {y.shape for y in outcome.value}
    return any(shape not in {case.inputs[name].shape, *outputs} for name, shape in _shapes(case, outcome))


def _is_still(answers: Sequence[Outcome]) -> bool:
    """Whether outputs have one number each, whatever the inputs are, and no gradient."""
    numbers = [
        np.concatenate([y.reshape(-1) for y in those]) for those in zip(*(o.value for o in answers), strict=False)
    ]
    gradients = [g for outcome in answers for g in outcome.vjp if g is not None]
    constant = all(y.size > 1 and (y == y[0]).all() for y in numbers)
    return bool(numbers) and constant and not any(np.any(g) for g in gradients)


def _fits(case: Case, outcome: Outcome, described: Collection[str]) -> bool:
    """Whether gradients have the shapes of the guessed inputs; a parameter has its own shape in any case."""
    return all(shape == case.inputs[name].shape for name, shape in _shapes(case, outcome) if name in described)


def _shapes(case: Case, outcome: Outcome) -> list[tuple[str, tuple[int, ...]]]:
    raw = outcome.vjp if outcome.raw is None else outcome.raw
    return [(name, g.shape) for name, g in zip(case.op.wrt, raw, strict=False) if g is not None]


def _typed(name: str, value: Any) -> str:
    """Return a static as a shell takes it in one piece."""
    return f'--static "{name}={value}"' if isinstance(value, tuple) else f"--static {name}={value}"


def _raised(answers: Sequence[Outcome]) -> Raised | None:
    raised = [outcome.raised for outcome in answers if outcome.raised is not None]
    return next((one for one in raised if one.stage == "forward"), raised[0] if raised else None)


def _answers(pair: Any, op: Op, runner: Runner) -> Iterator[tuple[Case, Outcome]]:
    """Yield what a side is asked and answers for lengths of two kinds: in float64, or in float32 if it raises there."""
    described = SimpleNamespace(inputs=pair.inputs, contract=op.contract)  # parameters have shapes too
    call, until = Call(op.inputs, described, {}, guessed=True), monotonic() + _SLOW
    for other in (False, True):
        inputs = dict(zip(op.inputs, call.inputs(other=other), strict=True))
        for name, described in pair.inputs.items():
            if isinstance(described.domain, range) and described.dtype != BOOL:  # the largest place must be there
                inputs[name] = np.full_like(inputs[name], described.domain[-1])
        settings = runner.state()
        try:
            answer = _answered(op, runner, inputs, "float64")
            if answer[1].raised:
                narrow = _answered(op, runner, inputs, "float32")
                answer = answer if narrow[1].raised else narrow
        finally:
            runner.restore(settings)
        yield answer
        if answer[1].raised or monotonic() > until:
            return


def _answered(op: Op, runner: Runner, inputs: Mapping[str, Any], dtype: str) -> tuple[Case, Outcome]:
    kinds = {"f": dtype, "c": "complex64" if dtype == "float32" else "complex128"}
    at = {n: x.astype(kinds.get(x.dtype.kind, x.dtype)) for n, x in inputs.items()}
    case = Case(op, dtype, at)
    outcome = runner.run(case)
    if outcome.raised is None:
        dy = tuple(np.ones(y.shape, kinds["c" if np.iscomplexobj(y) else "f"]) for y in outcome.value)
        case = replace(case, dy=dy, raw=True)
        outcome = runner.run(case)
    return case, outcome
