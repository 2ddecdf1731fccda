"""Answers the questions that a measuring process gets, see `porting.bench.process`."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from time import process_time
from typing import Any, Final

from porting import check, registry
from porting.bench.apart import apart
from porting.bench.checking.steps import steps
from porting.bench.measure import in_one_line, kept, measuring
from porting.bench.needed import needed
from porting.bench.own import side
from porting.bench.problem import problem
from porting.bench.process import FAILED, REFUSED
from porting.bench.rounds import interleaved
from porting.bench.stack import stack_peak
from porting.bench.subjects import TWIN, subjects
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.spec import Op

READY, DONE = "ready", "done"

Question = dict[str, Any]
Subjects = dict[str, Callable[..., Any]]
Said = tuple[str, Any]  # one of the above, and of what, the answer, or why not


def _asked(ask: Question) -> tuple[Op, Subjects]:
    """Return the op that a question is about, and what is measured: by its name, or a side of a pair."""
    target = ask["op"]
    if isinstance(target, Pair):
        return side(target, ask["backend"])
    op = registry.ops()[target]
    return op, subjects(op, ask["backend"])


def time_one(ask: Question, op: Op, functions: Subjects) -> Generator[Said, None, dict[str, Any]]:
    """Answer the question ``time``: one op, one size, in every mode."""
    asked = problem(op, ask["size"], ask["dtype"])
    timings = measuring(
        ask["backend"], asked, functions, ask["modes"], ask["rounds"], device=ask["device"], needed=needed(op)
    )
    while True:
        try:
            yield READY, next(timings)
        except StopIteration as end:
            found: dict[str, Any] = end.value
            return found


def kept_one(ask: Question, op: Op, functions: Subjects) -> Generator[Said, None, dict[str, float]]:
    """Answer the question ``kept``: memory kept for the backward per subject, in units of the largest input."""
    asked = problem(op, ask["size"], ask["dtype"], **ask["statics"])
    found = {}
    for subject, function in functions.items():
        with suppress(Exception):  # what cannot run has been reported by the timing
            found[subject] = kept(ask["backend"], asked, functions[TWIN], function) / asked.input_bytes
        yield READY, subject
    return found


def peak_one(ask: Question, op: Op, functions: Subjects) -> Generator[Said, None, float]:
    """Answer the question ``peak``: peak memory of the stack, for one subject in one mode."""
    statics, function = next(Cases(op, "float32").variants()), functions[ask["subject"]]
    yield READY, ask["subject"]
    return apart(partial(stack_peak, ask["backend"], ask["mode"], function, statics, ask["size"]))


def checking_one(ask: Question, op: Op, functions: Subjects) -> Generator[Said, None, dict[str, Any]]:  # noqa: ARG001
    """Answer the question ``checking``: what checks of an op at one size cost, beside the op itself."""
    made, errors = steps(ask["backend"], op, ask["size"]), {}
    ready: dict[str, Callable[[], Any]] = {}
    for subject in ask["subjects"]:
        try:
            made[subject]()
            ready[subject] = made[subject]
        except Exception as error:  # noqa: BLE001 - a checker that does not pass the op is a row without a time
            errors[subject] = in_one_line(error)
        yield READY, subject
    return {"times": interleaved(ready, ask["rounds"]), "errors": errors}


def whole_one(ask: Question, op: Op, functions: Subjects) -> Generator[Said, None, float]:  # noqa: ARG001
    """Answer the question ``whole``: CPU seconds of all checks of an op in one framework, in all types."""
    yield READY, op.name
    begun = process_time()
    check(op, runners=[ask["backend"]])
    return process_time() - begun


TASKS: Final[dict[str, Callable[[Question, Op, Subjects], Generator[Said, None, Any]]]] = {
    "time": time_one,
    "kept": kept_one,
    "peak": peak_one,
    "checking": checking_one,
    "whole": whole_one,
}


def answer(ask: Question, announce: Callable[[str], None]) -> Iterator[Said]:
    """Answer a question; each word before the answer shows that the process is alive."""
    announce(ask["task"])
    try:
        found = yield from TASKS[ask["task"]](ask, *_asked(ask))
    except Exception as error:  # noqa: BLE001 - an op that raises is an answer
        refused = isinstance(error, PortingError) and isinstance(ask["op"], Pair)
        yield (REFUSED, error) if refused else (FAILED, in_one_line(error))
    else:
        yield DONE, found
