"""Runs a plan, in this process or in workers, and makes the report."""

import multiprocessing
import pickle
import platform
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np

from porting.dtypes import FLOATS
from porting.errors import PortingError
from porting.parity import known
from porting.parity.finding import Result
from porting.parity.plan import Task, plan
from porting.parity.report import Report
from porting.parity.run import run
from porting.runners import RUNNERS
from porting.spec import Op


class WorkerError(PortingError):
    """A worker process cannot be given an op, or ended before its answer."""


def check(
    target: Op | str | Iterable[Op | str] | None = None,
    *,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = ("eager",),
    dtypes: Sequence[str] = FLOATS,
    only: Sequence[str] = (),
    keyword: str = "",
    seed: int = 0,
    jobs: int = 1,
    fail_fast: bool = False,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Check ops against their contract on every runner.

    Parameters
    ----------
    target : Op, str, or iterable of them, optional
        Ops, or names of ops and families; all of the catalogue when not given.
    runners, devices, modes, dtypes : sequence of str
        What to run on. No runners: all that are installed. No devices: all that are there.
    only : sequence of str
        Names of checks; all of them when not given.
    keyword : str
        Only checks whose test id (``swish-vjp-torch-cpu-float64``) contains this text.
    seed : int
        Inputs and cotangents follow from it.
    jobs : int
        Number of worker processes; 1 runs in this process. A script that asks for more needs the usual
        ``if __name__ == "__main__":`` guard.
    fail_fast : bool
        Stop after the first result that differs.
    on_start, on_result : callable, optional
        Told the number of results to come, then each result.

    Returns
    -------
    Report
        An interrupt (Ctrl-C) leaves a report of what was done so far.

    Raises
    ------
    porting.parity.plan.UsageError
        If a runner, device, mode or dtype is unknown or not there.
    porting.registry.RegistryError
        If an op or family is unknown.

    Examples
    --------
    >>> import porting
    >>> porting.check("my_elementwise", runners=["oracle"], dtypes=["float64"]).exit_code
    0
    """
    agenda = plan(target, runners=runners, devices=devices, modes=modes, dtypes=dtypes, only=only, keyword=keyword)
    if on_start:
        on_start(len(agenda.tasks))
    foreign = {task.op.name for task in agenda.tasks if not task.op.in_catalogue}
    accepted = [entry for entry in known.load() if entry.op not in foreign]  # of our ops, not of their namesakes
    results: dict[Task, Result] = {}
    interrupted = False
    try:
        for task, result in _run_all(agenda.tasks, seed, jobs):
            results[task] = result
            if on_result:
                on_result(result)
            if fail_fast and known.apply(accepted, [result])[0][0].status == "differ":
                break
    except KeyboardInterrupt:
        interrupted = True
    ordered = [results[task] for task in agenda.tasks if task in results]
    judged, problems = known.apply(accepted, ordered)
    return Report(judged, agenda.missing, _environment(agenda.tasks), problems, interrupted)


def _run_all(tasks: Sequence[Task], seed: int, jobs: int) -> Iterator[tuple[Task, Result]]:
    if jobs == 1:
        yield from ((task, run(task, seed)) for task in tasks)
        return
    for op in {task.op for task in tasks}:
        _ensure_travels(op)
    # Forking a process in which TensorFlow has run hangs, so workers come from a server that has run nothing.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([RUNNERS[task.runner].module for task in tasks])
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
        groups: dict[tuple[str, str], list[Task]] = {}
        for task in tasks:
            groups.setdefault((task.op.name, task.runner), []).append(task)
        pending = {pool.submit(_run_group, group, seed): group for group in groups.values()}
        try:
            for done in as_completed(pending):
                yield from zip(pending[done], done.result(), strict=True)
        except BrokenProcessPool as error:
            raise WorkerError("a worker process died, with an op perhaps; --jobs 1 shows where") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ensure_travels(op: Op) -> None:
    try:
        pickle.dumps(op)
    except PortingError:
        raise
    except Exception as error:
        raise WorkerError(
            f'{op.name} cannot be sent to a worker process ({error}): bind twins as "package.module:function", '
            "or use one job",
        ) from error


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches the whole process group, to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_group(tasks: Sequence[Task], seed: int) -> list[Result]:
    return [run(task, seed) for task in tasks]


def _environment(tasks: Iterable[Task]) -> dict[str, Any]:
    used = {task.runner for task in tasks} - {"oracle"}
    versions = {key: RUNNERS[key].version() for key in RUNNERS if key in used}
    return {"python": platform.python_version(), "numpy": np.__version__, **versions}
