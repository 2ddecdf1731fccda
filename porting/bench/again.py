"""Measures again what is out of its bound or too noisy, longer and in a new process. The last measurement counts.

Two processes that run the same code can be tenths apart, because the place of its memory stays the same for the life of
a process. So a measurement is out only if it is out in three processes, and a noisy one is repeated up to twice. A
measurement within its bound is not repeated: a lucky pass stays a pass.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import isnan
from typing import Final

from porting.bench.bounds import PEAK, TIMES
from porting.bench.judge import WITHIN, Verdict
from porting.bench.memory import keeps, stack
from porting.bench.modes import backend_of
from porting.bench.process import MEMORY, TIMING, NoAnswerError, Process
from porting.bench.result import Bench
from porting.bench.run import Asked, timed
from porting.registry import ops

LONGER: Final = 3  # times the rounds
TRIES: Final = 2


def doubtful(verdicts: Iterable[Verdict]) -> list[tuple[str, ...]]:
    """Return the measurements to repeat: op, framework or mode, and the quantity or the size, each once."""
    found = [v for v in verdicts if v.verdict != WITHIN and not isnan(v.value)]
    return list(dict.fromkeys(_place(v) for v in found))


def _place(v: Verdict) -> tuple[str, ...]:
    if v.what in TIMES:
        return "time", v.op, v.mode, str(v.size)
    return ("stack", v.op, v.mode) if v.what == PEAK else ("kept", v.op, backend_of(v.mode))


def again(
    bench: Bench, asked: Asked, places: Sequence[tuple[str, ...]], *, on_result: Callable[[], None] = lambda: None
) -> Bench:
    """Measure again; Ctrl-C ends it with the results so far.

    Parameters
    ----------
    bench : Bench
        The run.
    asked : Asked
        What was asked for.
    places : sequence of tuple
        What `doubtful` returned.
    on_result : callable
        Told when one is ready.

    Returns
    -------
    Bench
        The run with these measurements in the place of the first ones, which stay where a process died.
    """
    try:
        for place in places:
            bench = _replaced(bench, asked, *place)
            on_result()
    except KeyboardInterrupt:
        bench = replace(bench, interrupted=True)
    return bench


def _replaced(bench: Bench, asked: Asked, task: str, name: str, where: str, size: str = "") -> Bench:
    op = ops()[name]
    if task == "time":
        with Process(TIMING) as process:
            try:
                (row,) = timed(process, op, int(size), [where], replace(asked, rounds=LONGER * asked.rounds))
            except NoAnswerError:
                return bench
        key = (name, where, int(size))
        return replace(bench, rows=tuple(row if (r.op, r.mode, r.size) == key else r for r in bench.rows))
    if task == "stack":
        with Process(MEMORY) as process:
            peak = stack(process, op, where)
        old = next(p for p in bench.peaks if (p.op, p.mode) == (name, where))
        whole = set(old.tensors) <= set(peak.tensors)  # what died has no number
        return replace(bench, peaks=tuple(peak if p is old and whole else p for p in bench.peaks))
    with Process(MEMORY if where == "tf" else TIMING) as process:
        kept = keeps(process, op, where, asked.dtype)
    before = next(k for k in bench.kept if (k.op, k.backend) == (name, where))
    there = kept is not None and set(before.inputs) <= set(kept.inputs) and set(before.growth) <= set(kept.growth)
    return replace(bench, kept=tuple(kept if kept and there and k is before else k for k in bench.kept))
