"""Checks ops with many seeds, on any executor; each chunk is counted once, also after an end in the middle."""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from porting.engine.unwritten import ensure_written
from porting.pairs.pair import Pair
from porting.parity import known
from porting.parity.plan import Plan, Target, ops_of, plan
from porting.parity.report import Report
from porting.sweep.chunk import Chunks, Settings
from porting.sweep.hand_out import BrokenError, answers, devices_of
from porting.sweep.log import Log, begun, resumed
from porting.sweep.totals import Totals
from porting.sweep.work import stop, versions_of


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
    where : dict of str to int
        How many chunks each machine did.
    broken : str
        Why the executor could not go on; empty if it could.
    """

    report: Report
    cases: int
    done: int
    chunks: int
    where: dict[str, int]
    broken: str = ""


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
        Where the chunks are checked: each in a process of its own below a worker. It is left open. The devices are
        those of one of its workers. What a worker cannot do is given out again, two times.
    log : path, optional
        Where each chunk is written when it is done.
    resume, any_version : bool
        Go on with the log; also with a log that was made with other versions, and with workers that have others.
    on_start, on_chunk : callable, optional
        Called with the number of chunks, then with the number of those that are done.

    Returns
    -------
    Sweep
        Ctrl-C, or an executor that breaks, leaves what was done so far; it is in the log.

    Raises
    ------
    porting.errors.PortingError
        If what is asked for does not exist here, the log is of another sweep, or a worker has other versions.
    """
    ops = ops_of(target)
    ensure_written(ops)
    known.ensure_readable(known_differences)  # before any framework is imported
    there = partial(devices_of, executor=executor)
    agenda = plan(
        ops, runners=runners, devices=devices, modes=modes, dtypes=dtypes, only=(), keyword=keyword, devices_of=there
    )
    foreign = {task.op.name for task in agenda.tasks if not task.op.in_catalogue}
    accepted = tuple(known.accepted(foreign, known_differences))
    environment = versions_of(agenda.tasks)
    settings = Settings(accepted, strict, timeout, memory, None if any_version else environment)
    chunks = Chunks(agenda.tasks, seeds, settings)
    totals, written = Totals(), None
    interrupted, broken = False, ""
    with ExitStack() as stack:
        if log is not None:
            written = _opened(log, _header(agenda, seeds, environment), totals, resume=resume, any_version=any_version)
            stack.enter_context(written)
        earlier = written.done if written else frozenset()
        done = len(earlier)  # not the numbers of all: memory does not grow with a sweep
        if on_start:
            on_start(len(chunks))
        if on_chunk:
            on_chunk(done)
        pool = executor or stack.enter_context(ThreadPoolExecutor(jobs, "sweep"))
        left = (number for number in range(len(chunks)) if number not in earlier)
        coming = answers(pool, chunks, left, jobs if executor is None else None)
        try:
            for number, said in coming:
                if written:
                    written.append(number, said)
                totals.add(said)
                done += 1
                if on_chunk:
                    on_chunk(done)
        except KeyboardInterrupt:
            interrupted = True
        except BrokenError as error:
            interrupted, broken = True, str(error)
        finally:
            coming.close()
            stop()
    report = totals.report(agenda.missing, environment, interrupted=interrupted)
    return Sweep(report, totals.cases, done, len(chunks), totals.where, broken)


def _opened(log: Path, header: dict[str, Any], totals: Totals, *, resume: bool, any_version: bool) -> Log:
    """Return the log, after what it holds has been added to the totals."""
    if not resume:
        return begun(log, header)
    for said in resumed(log, header, any_version=any_version):
        if isinstance(said, Log):
            return said
        totals.add(said)
    raise AssertionError("a log comes last")


def _header(agenda: Plan, seeds: range, environment: dict[str, str]) -> dict[str, Any]:
    """Return what a log says of its sweep: what is checked, with which seeds, and where."""
    names = list(dict.fromkeys(task.op.name for task in agenda.tasks))
    said = "\n".join(f"{task.id} {task.target if isinstance(task.op, Pair) else ''}" for task in agenda.tasks)
    some = f"{', '.join(names[:3])}{' …' * (len(names) > 3)}"
    what = f"{len(agenda.tasks)} checks of {some}, seeds {seeds[0]} to {seeds[-1]}"
    plan_of = hashlib.sha256(f"{said}\n{seeds}".encode()).hexdigest()[:16]
    return {"what": what, "plan": plan_of, "environment": environment}
