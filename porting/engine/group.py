"""Runs the tasks of one side of an op, then asks for the causes: one unit of work, in this process or in a worker."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final

from porting.diagnosis.match import diagnose
from porting.dtypes import complex_of
from porting.engine.assumed import ANYTHING
from porting.engine.crash import in_vain, left_out, unfinished
from porting.engine.imported import local_files
from porting.engine.no_fault import GUESSED, no_fault, not_its_own
from porting.errors import PairError, PortingError, RunnerError, UnsaidError
from porting.pairs.guess import Guess
from porting.pairs.pair import Pair
from porting.pairs.unsaid import instead
from porting.parity.budget import Budget
from porting.parity.doubt import is_doubted
from porting.parity.finding import Diagnosis, Result
from porting.parity.narrow import NARROW, WIDE, narrow, types_are_guessed
from porting.parity.plan import Task
from porting.parity.run import op_of, run
from porting.runners import runner_of
from porting.runners.base import on_stage
from porting.spec import Op


@dataclass(frozen=True)
class Described:
    """How a pair is called, with the inputs that were given, read off its signature, or guessed later."""

    name: str
    text: str
    guessed: bool = False


@dataclass(frozen=True)
class Imported:
    """The source files of the user's own that a worker has imported for a pair, or tried to."""

    files: tuple[str, ...]


_ENDLESS: Final = Budget()
_OF_SHAPES: Final = frozenset({"missing_reduction", "wrong_shape"})
_SLOW: Final = frozenset({"large"})
_VALUE: Final = "value"
_MISSING: Final = "missing_gradient"
_AN_ARRAY: Final = "an array for every input is"
# Causes that rest on what each of several inputs is, where nobody said it: one may be a label, or a number of Python.
_OF_EVERY_INPUT: Final = {
    _MISSING: "a gradient by every input is",
    "graph_mode_fails": _AN_ARRAY, "retrace_fails": _AN_ARRAY, "xla_unsupported": _AN_ARRAY,
}  # fmt: skip
_STILL: Final = "nothing was seen to depend on the inputs that were guessed; say others: {}"
Said = Result | Diagnosis | Described | Imported | PortingError


def grouped(tasks: Sequence[Task]) -> list[list[Task]]:
    """Return the tasks by op, runner, device and mode, in their order."""
    groups: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task)
    return list(groups.values())


def run_group(
    tasks: Sequence[Task],
    seed: int,
    budget: Budget = _ENDLESS,
    guess: Guess | None = None,
    since: float | None = None,
) -> Iterator[Said]:
    """Yield what a pair is called with, the result of each task of one group, and the causes of what differs.

    If a side refuses arrays of any shape, the inputs of a pair are guessed, and the tasks are those of the `guess`.
    Tasks that exceed the budget are left out: it counts from `since`, when the guess began. The causes of the findings
    so far are still looked for.
    """
    first, how = tasks[0], "" if guess is None else str(guess)
    begun = monotonic() if since is None else since
    if isinstance(first.op, Pair) and not first.op.in_catalogue:
        better = yield from _described(first, first.op, how)
        if better is not None:
            yield from _with_guess(tasks, seed, budget, better, begun)
            return
    op = op_of(first)
    results: list[Result] = []
    advised = False
    settings = runner_of(op, first.runner).state()
    for task in tasks:
        until = budget.until(begun, len(tasks) - len(results), task.check, inf if results else begun)
        slow = task.check in _SLOW and len(tasks) > 1 and not first.op.inputs
        if slow and (advice := _advice(first.op, how)):
            result = in_vain(task, seed, advice)
        else:
            over = monotonic() >= begun + budget.side
            result = left_out(task, seed, budget.side) if over else _result(task, seed, settings, until)
        if why := no_fault(result, first.op, guess):
            result = not_its_own(result, why)
        unknown = result.status == "no verdict" and task.check in {"value", "vjp"}
        if unknown and not advised and (advice := _advice(first.op, how)):
            result, advised = replace(result, note=f"{result.note}; {advice}"), True
        results.append(result)
        yield result
    if any(result.status == "differ" for result in results):
        judged = [result for result in results if result.status != "note"]
        of_a_pair, doubted = isinstance(first.op, Pair), partial(is_doubted, first, seed)
        for cause in diagnose(op, judged, seed, of_a_pair=of_a_pair, doubted=doubted):
            told = _of_every_input(cause, first.op, op)
            yield _of_shapes(told, first.op, how) if told.cause in _OF_SHAPES else told


def _with_guess(tasks: Sequence[Task], seed: int, budget: Budget, guess: Guess, begun: float) -> Iterator[Said]:
    """Yield the same with inputs that were guessed: if nothing depends on them, nothing is known to agree."""
    if not isinstance(tasks[0].op, Pair) or not tasks[0].op.inputs:  # what was said has the types that were said
        types_are_guessed(guess.pair)
    as_taken = replace(guess, pair=_as_taken(guess.pair))
    again = as_taken.pair.command
    guessed = [replace(task, op=guess.pair) for task in tasks]
    for said in run_group(guessed, seed, budget, as_taken, begun):
        if isinstance(said, Described) and as_taken.pair is not guess.pair:
            yield replace(said, text=as_taken.pair.described(str(as_taken)))
        elif not isinstance(said, Result):
            yield said
        elif guess.still and said.status == "agree":
            yield replace(said, target=again, status="no verdict", note=_STILL.format(as_taken.flags))
        elif guess.limit and said.status == "agree" and said.check == _VALUE:
            yield replace(said, target=again, status="no verdict", note=guess.limit)
        else:
            yield replace(said, target=again)


def _as_taken(pair: Pair) -> Pair:
    """Return what was guessed as it is repeated: where float64 is given, a side has to take it."""
    if not narrow(pair):
        return pair
    narrower = {WIDE: NARROW, complex_of(WIDE): complex_of(NARROW)}
    inputs = {n: replace(a, dtype=narrower.get(a.dtype, a.dtype)) for n, a in pair.inputs.items()}
    return replace(pair, inputs=inputs)


def _described(task: Task, pair: Pair, how: str) -> Generator[Said, None, Guess | None]:
    """Yield what a pair is called with, and return the guess that is better, if there is one."""
    try:
        pair.on(task.runner)  # not `op_of`: it asks whether the op draws, and a side may not come back from that
        yield Described(pair.name, pair.described(how), guessed=bool(how))
    except UnsaidError as error:
        return instead(pair, error, guessed=bool(how))
    except PairError:  # one side may take a list, and another one its parts
        found = None
        with suppress(PortingError):
            found = None if how else pair.guess()
        if found is None:
            raise
        return found
    found = None if how else pair.guess()
    if found is None and pair.uncompared:
        yield Described(pair.name, "\n  ".join([pair.described(how), *pair.uncompared]), guessed=bool(how))
    return found


def _of_every_input(cause: Diagnosis, given: object, op: Op) -> Diagnosis:
    """Return a cause with its condition, where it rests on what each of several inputs is, and nobody described them.

    Labels and numbers of a loss have no gradient, on purpose; a number of Python is none that a graph does not know.
    """
    described = not isinstance(given, Pair) or given.in_catalogue or bool(given.inputs)
    if described or cause.cause not in _OF_EVERY_INPUT:
        return cause
    concerned = op.wrt if cause.cause == _MISSING else op.inputs
    return replace(cause, meant=_OF_EVERY_INPUT[cause.cause]) if len(concerned) > 1 else cause


def _of_shapes(cause: Diagnosis, op: object, how: str) -> Diagnosis:
    """Return a cause with what nobody said: its shapes are guessed, or no inputs were found that all sides take."""
    if how:
        return replace(cause, seen=cause.seen + GUESSED)
    return replace(cause, meant=ANYTHING) if _advice(op, how) else cause


def _advice(op: object, how: str) -> str:
    """Return what to say of the inputs of a pair that a side refuses."""
    return "" if how or not isinstance(op, Pair) or op.in_catalogue else op.advice


def _result(task: Task, seed: int, settings: Any, until: float) -> Result:
    try:
        return run(task, seed, settings, until)
    except RunnerError:
        raise
    except Exception as error:
        if not isinstance(task.op, Pair):  # our own ops break no check: that is a fault of ours
            raise
        return unfinished(task, error, seed)


def answer(job: tuple[Sequence[Task], int, Budget], announce: Callable[[str], None]) -> Generator[Said, None, str]:
    """Do the same in a worker; an error of the user's is returned, not raised."""
    announce("import")
    on_stage(announce)
    before = _standard_files()
    own = isinstance(job[0][0].op, Pair) and not job[0][0].op.in_catalogue
    try:
        for said in run_group(*job):
            yield said
            if isinstance(said, Described):
                yield Imported(local_files())
        if own:
            yield Imported(local_files())  # a function may import as late as in its gradient
    except PortingError as error:
        if own:
            yield Imported(local_files(error))
        yield error
    return "" if _standard_files() == before else "dirty"


def _standard_files() -> list[tuple[int, int]]:
    """Return what the standard files are: who closes one breaks the next op that prints."""
    try:
        return [(file.st_dev, file.st_ino) for file in map(os.fstat, range(3))]
    except OSError:
        return []
