"""Worker processes that run users' code: if it hangs, crashes or uses up the memory, only its job is lost."""

import os
import time
import weakref
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Self

from porting.workers.fate import TIMEOUT
from porting.workers.launch import Environment
from porting.workers.worker import DIRTY, ENDED, FAILED, ITEM
from porting.workers.worker_handle import LONGEST_WAIT, START, Handle, HandlerError, innermost
from porting.workers.worker_handle import EarlyEndError as EarlyEndError
from porting.workers.worker_handle import NoWorkerError as NoWorkerError
from porting.workers.worker_handle import WorkerError as WorkerError


@dataclass(frozen=True)
class Ended:
    """A worker ended, or was ended, before its job was done.

    Attributes
    ----------
    job : int
        Index of the job.
    done : int
        How many items the job had yielded before.
    stage : str
        The last stage that was announced; ``import`` before the first.
    how : str
        What happened, for people: ``took longer than 30 s``, ``was killed by SIGSEGV``.
    reason : str
        One of `REASONS`.
    where : str
        ``file.py:12``, the innermost frame of the code in the job, or empty if it is not known.
    """

    job: int
    done: int
    stage: str
    how: str
    reason: str
    where: str = ""


class Pool:
    """Worker processes that run a handler. A context manager; when it closes, all workers are killed.

    A worker that ended is replaced. A worker whose job leaves threads, child processes or another current folder is
    replaced too.

    Parameters
    ----------
    size : int
        Number of workers. They start when there are jobs for them.
    handler : str
        ``package.module:function``. In a worker, ``function(job, announce)`` yields items that can be pickled; it calls
        ``announce("backward")`` to say what it is about to do, and returns ``"dirty"`` to have its worker replaced.
    timeout : float
        Seconds from the start of a job to its first item, and from one item to the next.
    memory : int, optional
        Bytes that a worker may map on top of what it starts with. No limit where the system knows none.
    preload : sequence of str
        Modules that are imported once, before workers are forked. A process starts the server that forks them only
        once; if the server runs already, workers import the modules that it lacks.
    environment : mapping, optional
        Variables that are changed for the workers; `None` unsets a variable. Each worker is then a new interpreter,
        because some variables are read only when a program starts; nothing is preloaded.
    instead : str
        What the user can do if no worker can be started; the message ends with it.
    """

    def __init__(
        self,
        size: int,
        handler: str,
        *,
        timeout: float,
        memory: int | None = None,
        preload: Sequence[str] = (),
        environment: Environment | None = None,
        instead: str = "",
    ) -> None:
        self._size = size
        self._handler = handler
        self._timeout = timeout
        self._memory = memory
        self._preload = list(preload)
        self._environment = environment
        self._instead = f"; {instead}" * bool(instead)
        self._workers: list[Handle] = []
        # For a pool that nobody closes: multiprocessing waits at exit for processes that are alive.
        self._close = weakref.finalize(self, _abandon, self._workers, os.getpid())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether it takes no jobs any more."""
        return not self._close.alive

    def close(self) -> None:
        """Kill all workers and their children."""
        self._close()

    def run(
        self, jobs: Sequence[Any], kinds: Sequence[Hashable] | None = None, costs: Sequence[float] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Run jobs: free workers get them in order. Only one call at a time.

        Parameters
        ----------
        jobs : sequence
            What the handler is called with.
        kinds : sequence, optional
            One per job. Jobs of one kind go to one worker, which may keep results, unless another worker is idle.
        costs : sequence of float, optional
            One per job, in any unit. The most expensive job starts first, so that no long job is left for the end.

        Yields
        ------
        tuple of int and object
            Index of the job, and an item that it yielded, or `Ended`; in the order in which they arrive.

        Raises
        ------
        WorkerError
            If the handler raised, or a job or an item cannot be pickled.
        NoWorkerError
            If no worker can be started.
        """
        waiting = list(enumerate(jobs))
        kinds = kinds or range(len(jobs))
        costs = costs or [0.0] * len(jobs)
        latest: dict[Handle, Hashable] = {}
        try:
            while waiting or any(worker.busy for worker in self._workers):
                if self.closed:
                    raise WorkerError("the pool is closed")
                for worker in [worker for worker in self._workers if worker.idle][: len(waiting)]:
                    others = {kind for other, kind in latest.items() if other is not worker}
                    ranked = [(kinds[n] != latest.get(worker), kinds[n] in others, -costs[n]) for n, _ in waiting]
                    first = ranked.index(min(ranked))
                    if worker.take(*waiting[first], self._timeout):
                        latest[worker] = kinds[waiting.pop(first)[0]]
                    else:
                        self._dismiss([worker])
                self._hire(len(waiting))
                yield from self._hear()
        finally:
            self._dismiss([worker for worker in self._workers if worker.busy])

    def _hire(self, jobs: int) -> None:
        free = sum(not worker.busy for worker in self._workers)
        for _ in range(min(jobs - free, self._size - len(self._workers))):
            try:
                worker = Handle.start(self._handler, self._memory, self._preload, self._environment)
            except NoWorkerError as error:
                raise type(error)(f"{error}{self._instead}") from error
            self._workers.append(worker)

    def _dismiss(self, workers: Sequence[Handle]) -> None:
        _bury(workers)
        self._workers[:] = [worker for worker in self._workers if worker not in workers]

    def _hear(self) -> Iterator[tuple[int, Any]]:
        """Wait until a worker says something, ends or is late, and say what that means."""
        nearest = min(worker.deadline for worker in self._workers) - time.monotonic()
        watched = [end for worker in self._workers for end in (worker.pipe, worker.process.sentinel)]
        ready = set(wait(watched, min(max(nearest, 0), LONGEST_WAIT)))
        # Judged before anything is yielded, and only of workers that are silent: who takes his time over an item makes
        # nobody late.
        late = [worker for worker in self._workers if worker.deadline <= time.monotonic()]
        for worker in list(self._workers):
            if worker not in self._workers:  # closed by the caller between two items
                continue
            if worker.pipe in ready and (messages := worker.read()) is not None:
                for kind, value in messages:
                    yield from self._understand(worker, kind, value)
            elif worker.pipe in ready or worker.process.sentinel in ready:
                yield from self._end(worker, *worker.fate(), worker.stack())
            elif worker in late:
                allowed = self._timeout if worker.ready else START
                yield from self._end(worker, TIMEOUT, f"took longer than {allowed:g} s", worker.stack(ask=True))

    def _understand(self, worker: Handle, kind: str, value: Any) -> Iterator[tuple[int, Any]]:
        worker.deadline = time.monotonic() + self._timeout
        if kind == ITEM:
            worker.done += 1
            yield worker.job, value
        elif kind == ENDED:
            yield from self._end(worker, *value)
        elif kind == FAILED:
            self._dismiss([worker])
            raise HandlerError(f"{self._handler} raised in a worker process:\n{value}")
        elif kind == DIRTY:
            self._dismiss([worker])
        else:  # READY, DONE
            worker.rest()

    def _end(self, worker: Handle, reason: str, how: str, stack: str) -> Iterator[tuple[int, Ended]]:
        self._dismiss([worker])
        if not worker.ready:
            raise EarlyEndError(f"a worker process ended before it could take a job: it {how}{self._instead}")
        if worker.busy:
            stage = worker.stage.value.decode(errors="replace")
            yield worker.job, Ended(worker.job, worker.done, stage, how, reason, innermost(stack))


def _bury(workers: Sequence[Handle]) -> None:
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.close()


def _abandon(workers: list[Handle], owner: int) -> None:
    if os.getpid() == owner:  # not in a fork of the process that they belong to
        _bury(workers)
        workers.clear()
