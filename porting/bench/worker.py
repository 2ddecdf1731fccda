"""Answers the questions that a measuring process gets, see `porting.bench.process`."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any, Final

from porting import registry
from porting.bench.measure import in_one_line, kept, measuring
from porting.bench.problem import problem
from porting.bench.process import FAILED
from porting.bench.stack import stack_peak
from porting.bench.subjects import TWIN, subjects
from porting.parity.cases import Cases

READY, DONE = "ready", "done"

Question = dict[str, Any]
Said = tuple[str, Any]  # one of the above, and of what, the answer, or why not


def time_one(ask: Question) -> Generator[Said, None, dict[str, Any]]:
    """Answer the question ``time``: one op, one size, in every mode."""
    op = registry.ops()[ask["op"]]
    asked, functions = problem(op, ask["size"], ask["dtype"]), subjects(op, ask["backend"])
    steps = measuring(ask["backend"], asked, functions, ask["modes"], ask["rounds"], device=ask["device"])
    while True:
        try:
            yield READY, next(steps)
        except StopIteration as end:
            found: dict[str, Any] = end.value
            return found


def kept_one(ask: Question) -> Generator[Said, None, dict[str, float]]:
    """Answer the question ``kept``: memory kept for the backward per subject, in units of the largest input."""
    op = registry.ops()[ask["op"]]
    asked = problem(op, ask["size"], ask["dtype"], **ask["statics"])
    functions = subjects(op, ask["backend"])
    found = {}
    for subject, function in functions.items():
        with suppress(Exception):  # what cannot run has been reported by the timing
            found[subject] = kept(ask["backend"], asked, functions[TWIN], function) / asked.input_bytes
        yield READY, subject
    return found


def peak_one(ask: Question) -> Generator[Said, None, float]:
    """Answer the question ``peak``: peak memory of the stack, for one subject in one mode."""
    op = registry.ops()[ask["op"]]
    statics = next(Cases(op, "float32").variants())
    function = subjects(op, ask["backend"])[ask["subject"]]
    yield READY, ask["subject"]
    return stack_peak(ask["backend"], ask["mode"], function, statics, ask["size"])


TASKS: Final[dict[str, Callable[[Question], Generator[Said, None, Any]]]] = {
    "time": time_one,
    "kept": kept_one,
    "peak": peak_one,
}


def answer(ask: Question, announce: Callable[[str], None]) -> Iterator[Said]:
    """Answer a question; each word before the answer shows that the process is alive."""
    announce(ask["task"])
    try:
        found = yield from TASKS[ask["task"]](ask)
    except Exception as error:  # noqa: BLE001 - an op that raises is an answer
        yield FAILED, in_one_line(error)
    else:
        yield DONE, found
