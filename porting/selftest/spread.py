"""Long work in pieces: here or in worker processes, as it comes, until Ctrl-C."""

import traceback
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from porting.engine.preload import preload
from porting.runners import RUNNERS
from porting.runners.base import on_stage
from porting.workers.pool import Ended, Pool

Job = TypeVar("Job")
Item = TypeVar("Item")

_PATIENCE: Final = 900.0  # seconds for one job in a worker, on a busy machine


def spread(
    function: Callable[[Job], Item],
    jobs: Sequence[Job],
    processes: int,
    backends: Collection[str],
    lost: Callable[[Job, str], Item],
    kind: Callable[[Job], Any] = lambda _: 0,
) -> Iterator[Item]:
    """Yield what a function of a module returns for each job, as it comes.

    Parameters
    ----------
    function : callable
        At the top of its module. What it warns of is not shown.
    jobs : sequence
        What it is called with; names and numbers, which can be sent to another process.
    processes : int
        Number of worker processes; 1 runs in this process.
    backends : collection of str
        Whose frameworks the workers need.
    lost : callable
        Gives the item of a job whose process ended, as the second argument says.
    kind : callable
        Jobs of one kind are done one after the other, in one process if that keeps none idle: they share what is
        computed. Kinds can be compared.
    """
    jobs = sorted(jobs, key=kind)
    if processes == 1:
        for job in jobs:
            yield from answer((function, job), lambda _: None)
        return
    preloaded = [__name__, *preload(RUNNERS[key].module for key in backends)]  # imported, not run: forks would hang
    handler = f"{__name__}:answer"
    with Pool(processes, handler, timeout=_PATIENCE, preload=preloaded, instead="--jobs 1 needs none") as pool:
        for index, item in pool.run([(function, job) for job in jobs], list(map(kind, jobs))):
            if isinstance(item, Ended):
                yield lost(jobs[index], f"the worker process {item.how}, in {item.stage} {item.where}".strip())
            else:
                yield item


def answer(job: tuple[Callable[[Job], Item], Job], announce: Callable[[str], None]) -> Iterator[Item]:
    """Call a function with its job."""
    function, given = job
    on_stage(announce)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        item = function(given)
    yield item


def collect(items: Iterable[Item], on_result: Callable[[Item], None] | None) -> tuple[list[Item], bool]:
    """Return all items, and whether Ctrl-C came before the last."""
    found: list[Item] = []
    try:
        for item in items:
            found.append(item)
            if on_result:
                on_result(item)
    except KeyboardInterrupt:
        return found, True
    return found, False


def described(error: Exception) -> str:
    """Return an exception of ours with the innermost place, on one line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = (str(error).strip() or "no message").splitlines()[0]
    return f"{type(error).__name__}: {said} ({frame.filename}:{frame.lineno})"
