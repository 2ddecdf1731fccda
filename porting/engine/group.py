"""Runs the tasks of one side of an op, then asks for the causes: one unit of work, in this process or in a worker."""

import os
import re
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, Final

from porting.diagnosis.match import diagnose
from porting.dtypes import complex_of
from porting.engine.crash import in_vain, left_out, unfinished
from porting.engine.imported import local_files
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
from porting.parity.sides import is_of_type
from porting.runners import runner_of
from porting.runners.base import on_stage


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
_GUESSED: Final = "; these shapes are guessed, --input says others"
_SLOW: Final = frozenset({"large"})
_VALUE: Final = "value"
_STILL: Final = "nothing was seen to depend on the inputs that were guessed; say others: {}"
# What is said where sizes do not go together; "an invalid gradient", of another shape than its input, is a fault.
_SIZES: Final = re.compile(
    r"(?i)number of (sizes|dimensions|elements)|must match the size|shapes cannot be multiplied|incompatible shapes"
    r"|size mismatch|size-incompatible|dimensions must be equal|must have rank|inconsistent tensor size"
    r"|expected \d-?d\b"
)
_RAISED: Final = frozenset({"raised"})
# An error, or a shape of a gradient.
_OF_WHAT_IS_GIVEN: Final = _RAISED | {"raw_shape", "raw_repaired", "shape_differs"}
_OF_NUMBERS: Final = re.compile(r"(?i)not invertible|singular|cholesky|positive[- ]definite")
_NUMBERS_OURS: Final = "; nobody said which numbers it takes, as --input NAME=float64[n,n]{spd} does"
_OURS: Final = "; nobody said what it takes"
_IN_A_GRAPH: Final = frozenset({"function", "function again", "function reshaped", "function any shape", "xla"})
_A_TENSOR: Final = "; that {} is no tensor is guessed, and in a graph a number of Python has a type of its own"
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
        until = budget.until(begun, len(tasks) - len(results), task.check)
        slow = task.check in _SLOW and len(tasks) > 1 and not first.op.inputs
        if slow and (advice := _advice(first.op, how)):
            result = in_vain(task, seed, advice)
        else:
            result = _result(task, seed, settings, until) if monotonic() < until else left_out(task, seed, budget.side)
        if why := _no_fault(result, first.op, guess):
            result = _not_its_own(result, why)
        unknown = result.status == "no verdict" and task.check in {"value", "vjp"}
        if unknown and not advised and (advice := _advice(first.op, how)):
            result, advised = replace(result, note=f"{result.note}; {advice}"), True
        results.append(result)
        yield result
    if any(result.status == "differ" for result in results):
        judged = [result for result in results if result.status != "note"]
        of_a_pair, doubted = isinstance(first.op, Pair), partial(is_doubted, first, seed)
        for cause in diagnose(op, judged, seed, of_a_pair=of_a_pair, doubted=doubted):
            yield replace(cause, seen=cause.seen + _GUESSED) if how and cause.cause in _OF_SHAPES else cause


def _with_guess(tasks: Sequence[Task], seed: int, budget: Budget, guess: Guess, begun: float) -> Iterator[Said]:
    """Yield the same with inputs that were guessed: if nothing depends on them, nothing is known to agree."""
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
        op_of(task)
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


def _advice(op: object, how: str) -> str:
    """Return what to say of the inputs of a pair that a side refuses."""
    return "" if how or not isinstance(op, Pair) or op.in_catalogue else op.advice


def _no_fault(result: Result, op: object, guess: Guess | None) -> str:
    """Say why what was found is no fault of the side: it may be what the inputs are taken for; empty if it is one."""
    if _found_only(result, _RAISED) and _of_numbers(result) and _is_anything(op):
        return _NUMBERS_OURS
    if guess is None:
        return _OURS if _found_only(result, _OF_WHAT_IS_GIVEN) and _refused(op) else ""
    if not _found_only(result, _RAISED):
        return ""
    if guess.settings and _of_types_in_a_graph(result):
        return _A_TENSOR.format(" and ".join(guess.settings))
    return _GUESSED if guess.forwards and _of_sizes(result) else ""


def _refused(op: object) -> bool:
    """Whether no side of a pair takes what its inputs are taken for."""
    return isinstance(op, Pair) and not op.in_catalogue and op.refused


def _found_only(result: Result, codes: Collection[str]) -> bool:
    """Whether all that was found has one of these codes."""
    return result.status == "differ" and all(finding.code in codes for finding in result.findings)


def _of_sizes(result: Result) -> bool:
    """Whether sizes do not go together: they may be what does not suit."""
    return all(_SIZES.search(finding.fields["message"]) for finding in result.findings)


def _of_numbers(result: Result) -> bool:
    """Whether what raises is a matrix that cannot be inverted or factored: by its numbers, not by its shape."""
    return all(_OF_NUMBERS.search(finding.fields["message"]) for finding in result.findings)


def _is_anything(op: object) -> bool:
    """Whether nobody says of a pair which numbers its inputs hold."""
    if not isinstance(op, Pair) or op.in_catalogue or op.contract.domain or op.oracle is not None:
        return False
    return not any(a.domain is not None or a.kind for a in op.inputs.values())


def _of_types_in_a_graph(result: Result) -> bool:
    """Whether only types do not go together, in a graph: there a number of Python becomes a tensor of its own type."""
    return all(f.fields.get("how") in _IN_A_GRAPH and is_of_type(result, f) for f in result.findings)


def _not_its_own(result: Result, why: str) -> Result:
    """Return no verdict: nobody said what the side takes, and it raised for a shape that is ours."""
    finding = result.findings[0]
    said = ", ".join([finding.what, *finding.details[:1]])
    return replace(result, status="no verdict", findings=(), note=f"{said}{why}")


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
