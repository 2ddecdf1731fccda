"""Checks ops with many seeds, on any executor; each chunk is counted once, also after an end in the middle."""

import hashlib
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from porting.engine.check import environment_of
from porting.engine.devices import devices_elsewhere
from porting.engine.isolate import instead_of_workers
from porting.engine.unwritten import ensure_written
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity import known
from porting.parity.plan import Plan, Target, ops_of, plan
from porting.parity.report import Report
from porting.sweep.chunk import Chunks, Settings
from porting.sweep.log import Log, begun, resumed
from porting.sweep.totals import Totals
from porting.sweep.work import stop, work

_AHEAD: Final = 2  # chunks that wait at each worker, so that none is idle
_WORKERS: Final = 32  # of an executor that does not say how many it has


class SweepError(PortingError, RuntimeError):
    """An executor cannot do the work; what was done is in the log."""


@dataclass(frozen=True)
class Sweep:
    """What a sweep came to.

    Attributes
    ----------
    report : Report
        All seeds as one, see `porting.sweep.totals`.
    cases : int
        How many results there are: checks times seeds.
    done, chunks : int
        How many chunks are done, and how many there are.
    """

    report: Report
    cases: int
    done: int
    chunks: int


def sweep(
    target: Target = None,
    *,
    seeds: range,
    jobs: int = 1,
    executor: Executor | None = None,
    log: Path | None = None,
    resume: bool = False,
    any_version: bool = False,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    keyword: str = "",
    timeout: float = 60.0,
    memory: float | None = 8.0,
    known_differences: Path | str | None = None,
    strict: bool = False,
    on_start: Callable[[int], None] | None = None,
    on_chunk: Callable[[int], None] | None = None,
) -> Sweep:
    """Check ops, or a pair, with many seeds.

    Parameters
    ----------
    target, runners, devices, modes, dtypes, keyword, timeout, memory, known_differences, strict
        See `porting.check`.
    seeds : range
        Every check is made with each of them.
    jobs : int
        How many chunks are checked at a time, if there is no executor.
    executor : concurrent.futures.Executor, optional
        Where the chunks are checked: each in a process of its own below a worker. It is left open.
    log : path, optional
        Where each chunk is written when it is done.
    resume, any_version : bool
        Go on with the log, also if it was made with other versions.
    on_start, on_chunk : callable, optional
        Called with the number of chunks, then with the number of those that are done.

    Returns
    -------
    Sweep
        Ctrl-C leaves what was done so far; it is in the log.

    Raises
    ------
    porting.errors.PortingError
        If what is asked for does not exist here, the log is of another sweep, or the executor fails.
    """
    ops = ops_of(target)
    ensure_written(ops)
    there = partial(devices_elsewhere, instead=instead_of_workers(isolated=True))
    agenda = plan(
        ops, runners=runners, devices=devices, modes=modes, dtypes=dtypes, only=(), keyword=keyword, devices_of=there
    )
    foreign = {task.op.name for task in agenda.tasks if not task.op.in_catalogue}
    accepted = tuple(known.accepted(foreign, known_differences))
    chunks = Chunks(agenda.tasks, seeds, Settings(accepted, strict, timeout, memory))
    environment = environment_of(agenda.tasks)
    totals, written = Totals(), None
    interrupted = False
    with ExitStack() as stack:
        if log is not None:
            written = _opened(log, _header(agenda, seeds, environment), totals, resume=resume, any_version=any_version)
            stack.enter_context(written)
        done = set(written.done) if written else set()
        if on_start:
            on_start(len(chunks))
        if on_chunk:
            on_chunk(len(done))
        pool = executor or stack.enter_context(ThreadPoolExecutor(jobs, "sweep"))
        left = (number for number in range(len(chunks)) if number not in done)
        answers = _answers(pool, chunks, left, jobs if executor is None else _size_of(executor))
        try:
            for number, reports in answers:
                if written:
                    written.append(number, reports)
                for text in reports:
                    totals.add(Report.from_json(text))
                done.add(number)
                if on_chunk:
                    on_chunk(len(done))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            answers.close()
            stop()
    report = totals.report(agenda.missing, environment, interrupted=interrupted)
    return Sweep(report, totals.cases, len(done), len(chunks))


def _opened(log: Path, header: dict[str, Any], totals: Totals, *, resume: bool, any_version: bool) -> Log:
    """Return the log, after what it holds has been added to the totals."""
    if not resume:
        return begun(log, header)
    for said in resumed(log, header, any_version=any_version):
        if isinstance(said, Log):
            return said
        for report in said:
            totals.add(Report.from_json(report))
    raise AssertionError("a log comes last")


def _size_of(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it says so."""
    said = getattr(executor, "_max_workers", None)
    return said if isinstance(said, int) else _WORKERS


def _answers(
    executor: Executor, chunks: Chunks, left: Iterator[int], workers: int
) -> Generator[tuple[int, list[str]], None, None]:
    """Yield the reports of each chunk as they come; only a few chunks wait, however many there are.

    Raises
    ------
    SweepError
        If a worker cannot do its work.
    """
    waiting: dict[Future[list[str]], int] = {}
    try:
        while True:
            while len(waiting) < _AHEAD * workers and (number := next(left, None)) is not None:
                waiting[executor.submit(work, chunks[number])] = number
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                number = waiting.pop(future)
                yield number, _result(future)
    finally:
        for future in waiting:
            future.cancel()


def _result(future: Future[list[str]]) -> list[str]:
    try:
        return future.result()
    except PortingError:
        raise
    except BrokenExecutor as error:
        raise SweepError(f"the executor broke: {error}; --resume goes on from the log") from None
    except Exception as error:  # whatever an executor of somebody else's raises
        raise SweepError(f"a worker raised {type(error).__name__}: {error}; --resume goes on from the log") from error


def _header(agenda: Plan, seeds: range, environment: dict[str, str]) -> dict[str, Any]:
    """Return what a log says of its sweep: what is checked, with which seeds, and where."""
    names = list(dict.fromkeys(task.op.name for task in agenda.tasks))
    said = "\n".join(f"{task.id} {task.target if isinstance(task.op, Pair) else ''}" for task in agenda.tasks)
    some = f"{', '.join(names[:3])}{' …' * (len(names) > 3)}"
    what = f"{len(agenda.tasks)} checks of {some}, seeds {seeds[0]} to {seeds[-1]}"
    plan_of = hashlib.sha256(f"{said}\n{seeds}".encode()).hexdigest()[:16]
    return {"what": what, "plan": plan_of, "environment": environment}
