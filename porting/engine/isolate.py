"""Runs groups of tasks in worker processes: if an op hangs or dies, only its check is lost, not the run."""

import pickle
from collections.abc import Iterator, Sequence
from typing import Final

from porting.engine.crash import endless, is_slow, said_of, undescribed, untried
from porting.engine.group import Said, grouped
from porting.engine.preload import preload
from porting.errors import PortingError, RunnerError
from porting.pairs.pair import Pair
from porting.parity.budget import Budget, budget, cheapest_first
from porting.parity.finding import Result
from porting.parity.narrow import WIDE
from porting.parity.plan import Task
from porting.runners import Runner, runner_of
from porting.runners.base import TRIED, whose
from porting.runners.interpreter import STAGE, InterpreterRunner
from porting.spec import Op
from porting.workers.fate import TIMEOUT
from porting.workers.pool import Ended, Pool, WorkerError

_GROUP: Final = "porting.engine.group"
_DEATHS: Final = 2  # of one side; then its other checks are not tried


def run_isolated(
    tasks: Sequence[Task],
    seed: int,
    jobs: int,
    timeout: float,
    memory: float | None,
    instead: str = "",
    seconds: float | None = None,
) -> Iterator[tuple[Task, Said]]:
    """Yield each task with its result, as they come, and causes with a task of their group.

    Raises
    ------
    WorkerError
        If an op cannot be sent to a worker.
    PortingError
        If a worker reports an error in the user's input.
    """
    with pool_for(tasks, jobs, timeout, memory, instead) as pool:
        yield from answered(pool, tasks, seed, budget(seconds, len(grouped(tasks)), jobs, timeout))


def pool_for(tasks: Sequence[Task], jobs: int, timeout: float, memory: float | None, instead: str = "") -> Pool:
    """Return the worker processes for some tasks, which may be asked again with other seeds.

    Raises
    ------
    WorkerError
        If an op cannot be sent to a worker.
    """
    for op in {task.op for task in tasks}:
        _ensure_travels(op)
    here = [runner for task in tasks if not _elsewhere(runner := runner_of(task.op, task.runner))]
    preloaded = preload(runner.module for runner in here)
    limit = None if memory is None or any(t.device == "gpu" for t in tasks) else int(memory * 2**30)  # CUDA maps a lot
    return Pool(jobs, f"{_GROUP}:answer", timeout=timeout, memory=limit, preload=preloaded, instead=instead)


def answered(pool: Pool, tasks: Sequence[Task], seed: int, shares: Budget) -> Iterator[tuple[Task, Said]]:
    """Yield each task with its result, as they come, and causes with a task of their group; see `run_isolated`."""
    waiting = [(group, 0) for group in grouped(tasks)]
    while waiting:
        batch, waiting = waiting, []
        done = [0] * len(batch)
        groups = [group for group, _ in batch]
        names, costs = [group[0].op.name for group in groups], [_cost(group) for group in groups]
        for index, said in pool.run([(group, seed, shares) for group in groups], names, costs):
            group, deaths = batch[index]
            if isinstance(said, PortingError):
                raise said
            if isinstance(said, Ended) and whose(said.stage)[0] == STAGE:
                raise RunnerError(f"{_interpreters(group[0].op)}: {said.how} to answer")
            if isinstance(said, Ended):
                left = group[done[index] :]
                if left:
                    first, *left = left
                    yield from ((first, end) for end in said_of(first, said, seed))
                    unknown = whose(said.stage)[1] == TRIED  # the next process would try the same inputs
                    retried = [] if unknown else _retried(left, deaths + (not is_slow(first, said)), said, first)
                    waiting += retried
                    again = [task for part, _ in retried for task in part]
                    why = undescribed if unknown else endless if again else untried
                    yield from ((task, why(task, seed)) for task in left if task not in again)
            elif isinstance(said, Result):
                yield group[done[index]], said
                done[index] += 1
            else:
                yield group[0], said


def instead_of_workers(*, isolated: bool) -> str:
    """Say what to do if no worker can be started; `isolated` names what needs workers even if one job is asked for."""
    return "in Python, isolate=False with jobs=1 needs none" if isolated else "--jobs 1 (in Python jobs=1) needs none"


def _cost(group: Sequence[Task]) -> int:
    """Guess what a group costs: of the catalogue, ops on whole arrays take about five times as long as others."""
    return len(group) * (5 if group[0].op.contract.shapes else 1)


def _retried(left: Sequence[Task], deaths: int, end: Ended, at: Task) -> list[tuple[list[Task], int]]:
    """Return the groups that are tried again after a process has ended at a task, each with its number of deaths.

    Values and gradients are tried first, in a process of their own, so that nothing else takes them along. After the
    last death only float64 is tried: an iteration may wait for digits that float32 has not.
    """
    late = end.reason == TIMEOUT
    if deaths < _DEATHS:
        everyday = [task for task in left if cheapest_first(task.check) == 0]
        rest = [task for task in left if task not in everyday]
        parts = [[*everyday, *rest]] if late else [everyday, rest]  # a process more would cost as much time again
        return [(part, deaths) for part in parts if part]
    wide = [task for task in left if task.dtype == WIDE] if late and at.dtype != WIDE else []
    return [(wide, deaths - 1)] if wide else []


def _elsewhere(runner: Runner) -> bool:
    return isinstance(runner, InterpreterRunner)


def _interpreters(op: Op | Pair) -> str:
    """Name the interpreters of a pair, as they were given."""
    return " or ".join(r.name for r in op.answers.values() if isinstance(r, InterpreterRunner))


def _ensure_travels(op: Op | Pair) -> None:
    try:
        pickle.dumps(op)
    except PortingError:
        raise
    except Exception as error:
        raise WorkerError(
            f'{op.name} cannot be sent to a worker process ({error}): give its functions as "package.module:function", '
            "or check it in this process, with jobs=1 and isolate=False",
        ) from error
