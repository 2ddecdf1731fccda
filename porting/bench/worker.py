"""The process that measures: questions come in as lines of JSON, answers go out as lines of JSON.

``python -m porting.bench.worker``, started by `porting.bench.process`. What an op or a framework prints goes to stderr.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from porting import registry
from porting.bench.measure import in_one_line, kept, measure
from porting.bench.problem import problem
from porting.bench.stack import stack_peak
from porting.bench.subjects import TWIN, subjects
from porting.parity.cases import Cases


def time_one(ask: dict[str, Any], say: Any) -> dict[str, Any]:
    """Answer the question ``time``: one op, one size, in every mode."""
    op = registry.ops()[ask["op"]]
    return measure(
        ask["backend"],
        problem(op, ask["size"], ask["dtype"]),
        subjects(op, ask["backend"]),
        ask["modes"],
        ask["rounds"],
        device=ask["device"],
        on_ready=lambda mode, subject: say({"ready": [mode, subject]}),
    )


def kept_one(ask: dict[str, Any], say: Any) -> dict[str, float]:
    """Answer the question ``kept``: bytes for the backward per subject, in largest inputs."""
    op = registry.ops()[ask["op"]]
    asked = problem(op, ask["size"], ask["dtype"], **ask["statics"])
    functions = subjects(op, ask["backend"])
    found = {}
    for subject, function in functions.items():
        with suppress(Exception):  # what cannot run has been reported by the timing
            found[subject] = kept(ask["backend"], asked, functions[TWIN], function) / asked.input_bytes
        say({"ready": subject})
    return found


def peak_one(ask: dict[str, Any], say: Any) -> float:  # noqa: ARG001 - every task is told whom to tell
    """Answer the question ``peak``: of the stack, for one subject in one mode."""
    op = registry.ops()[ask["op"]]
    statics = next(Cases(op, "float32").variants())
    return stack_peak(ask["backend"], ask["mode"], subjects(op, ask["backend"])[ask["subject"]], statics, ask["size"])


TASKS: Final[dict[str, Callable[[dict[str, Any], Any], Any]]] = {"time": time_one, "kept": kept_one, "peak": peak_one}


def main() -> None:
    """Answer questions until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(answer: dict[str, Any]) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    for line in sys.stdin:
        ask = json.loads(line)
        try:
            say({"done": TASKS[ask["task"]](ask, say)})
        except Exception as error:  # noqa: BLE001 - an op that raises is an answer
            say({"failed": in_one_line(error)})


if __name__ == "__main__":
    main()
