"""Measures what a proof costs: one measuring process per framework; Ctrl-C ends it early."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final

from porting.backends import BACKENDS
from porting.bench.checking.result import Checking, Place, place_of
from porting.bench.checking.steps import SUBJECTS, UNIT
from porting.bench.machine import machine
from porting.bench.process import TIMING, NoAnswerError, Process
from porting.spec import Op

OPS: Final = ("sin_squared", "swish", "logsumexp")  # smooth, and the gradient is the derivative: all checkers pass them
SIZES: Final = (10, 100, 1_000, 10_000, 100_000)
_LONGEST: Final = 30.0  # seconds that one call may take, if it grows with the square of the elements
_IMPORTS: Final = 2  # of which the faster one counts: the first one reads from the disk
_IMPORT: Final = "import time; t = time.process_time(); import {module}; print(time.process_time() - t)"


def checking(
    ops: Sequence[Op],
    sizes: Sequence[int],
    backends: Sequence[str],
    rounds: int,
    *,
    command: str = "",
    missing: Mapping[str, str] = {},
    on_start: Callable[[int], None] = lambda _: None,
    on_result: Callable[[], None] = lambda: None,
) -> Checking:
    """Measure; Ctrl-C ends it with the results so far.

    Parameters
    ----------
    ops : sequence of Op
        What is checked.
    sizes : sequence of int
        Elements of the largest input, ascending.
    backends : sequence of str
        Frameworks that are here.
    rounds : int
        How often each thing that is compared is timed.
    command, missing : str, mapping
        Kept in the result.
    on_start, on_result : callable
        Told how many measurements there will be, and when one is ready.
    """
    on_start(len(backends) * (1 + len(ops) * (1 + len(sizes))))
    places: list[Place] = []
    imports: dict[str, float] = {}
    whole: dict[str, dict[str, float]] = {}
    interrupted = False
    with ExitStack() as processes:
        try:
            for backend in backends:
                imports[backend] = seconds_of_import(backend)
                on_result()
                process = processes.enter_context(Process(TIMING))
                for op in ops:
                    for place in _sizes(process, op, backend, sizes, rounds):
                        places.append(place)
                        on_result()
                    with suppress(NoAnswerError):  # then it has no number
                        seconds = process.ask({"task": "whole", "op": op.name, "backend": backend})
                        whole.setdefault(backend, {})[op.name] = seconds
                    on_result()
        except KeyboardInterrupt:
            interrupted = True
    return Checking(tuple(places), whole, imports, machine(backends), command, missing, interrupted)


def seconds_of_import(backend: str) -> float:
    """Return the CPU seconds that a new process needs to import a framework."""
    code = _IMPORT.format(module=BACKENDS[backend].packages[0])
    command = [sys.executable, "-c", code]
    runs = (
        subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - this interpreter, our code
        for _ in range(_IMPORTS)
    )
    return min(float(run.stdout) for run in runs)


def _sizes(process: Process, op: Op, backend: str, sizes: Sequence[int], rounds: int) -> Iterator[Place]:
    """Measure one op in one framework at each size; what would take too long is left out, and said."""
    before: Place | None = None
    for size in sizes:
        late = _late(before, size) if before else {}
        ask: dict[str, Any] = {"task": "checking", "op": op.name, "backend": backend, "size": size}
        try:
            found = process.ask({**ask, "rounds": rounds, "subjects": [s for s in SUBJECTS[backend] if s not in late]})
            before = place_of(op.name, backend, size, found["times"], {**found["errors"], **late})
        except NoAnswerError as error:
            before = Place(op.name, backend, size, errors={UNIT: str(error)})
        yield before


def _late(before: Place, size: int) -> dict[str, str]:
    """Return the subjects that would take too long, with the reason: those that did before, too."""
    grown = (size / before.size) ** 2
    expected = {subject: seconds * grown for subject, seconds in before.seconds.items() if subject != UNIT}
    late = {s: f"left out: one call may take {t:,.0f} s" for s, t in expected.items() if t > _LONGEST}
    return {**{s: why for s, why in before.errors.items() if s != UNIT}, **late}
