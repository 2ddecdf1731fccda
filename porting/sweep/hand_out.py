"""Hands chunks out to the workers of an executor, a lost one again, and yields them as they are done."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Final

from porting.engine.devices import devices_elsewhere
from porting.engine.isolate import instead_of_workers
from porting.errors import PortingError
from porting.parity.plan import Devices
from porting.runners import RUNNERS, Runner
from porting.sweep.chunk import Chunks
from porting.sweep.work import Done, devices, work

_AHEAD: Final = 2  # chunks that wait at each worker, so that none is idle
_WORKERS: Final = 32  # of an executor that does not say how many it has
_LOSSES: Final = 2  # of one chunk: it is given out again so often
_PATIENCE: Final = 600.0  # seconds until a worker has started, and has looked at its devices


class ExecutorError(PortingError, RuntimeError):
    """An executor cannot do any work."""


class BrokenError(Exception):
    """An executor cannot go on."""


def devices_of(runners: Sequence[Runner], executor: Executor | None) -> Devices:
    """Return the devices of one worker; those of this machine, if the work is done here.

    Raises
    ------
    ExecutorError
        If the executor does not answer.
    """
    if executor is None:
        return devices_elsewhere(runners, instead_of_workers(isolated=True))
    asked = [runner.key if runner is RUNNERS.get(runner.key) else runner for runner in runners]
    try:
        return dict(zip(runners, executor.submit(devices, asked).result(_PATIENCE), strict=True))
    except PortingError:
        raise
    except Exception as error:  # whatever an executor of somebody else's raises
        raise ExecutorError(f"the executor does not work: {_said(error)}") from error


def answers(
    executor: Executor, chunks: Chunks, left: Iterator[int], workers: int | None = None
) -> Generator[tuple[int, Done], None, None]:
    """Yield the number of each chunk that is done, and what it came to.

    Raises
    ------
    PortingError
        If a worker has other versions, or what is asked for does not exist there.
    BrokenError
        If the executor takes no work any more, or none of its workers comes to the end of a chunk.
    """
    out = _Out(executor, chunks, left, _AHEAD * (workers or _size_of(executor)))
    try:
        while out.filled():
            yield from out.done()
    except PortingError:
        raise
    except Exception as error:  # whatever an executor of somebody else's raises
        raise BrokenError(_said(error)) from error
    finally:
        out.cancel()


class _Out:
    """The chunks that are given out: a few for each worker, however many there are."""

    def __init__(self, executor: Executor, chunks: Chunks, left: Iterator[int], most: int) -> None:
        self._executor, self._chunks, self._left, self._most = executor, chunks, left, most
        self._waiting: dict[Future[Done], int] = {}
        self._again: list[int] = []
        self._losses: Counter[int] = Counter()

    def filled(self) -> bool:
        """Give out as many as may be; tell whether one is waited for."""
        while len(self._waiting) < self._most:
            number = self._again.pop() if self._again else next(self._left, None)
            if number is None:
                break
            self._waiting[self._executor.submit(work, self._chunks[number])] = number
        return bool(self._waiting)

    def done(self) -> Iterator[tuple[int, Done]]:
        """Yield what is done next; a chunk whose worker was lost is given out again."""
        for future in wait(self._waiting, return_when=FIRST_COMPLETED).done:
            number = self._waiting.pop(future)
            try:
                done = future.result()
            except (PortingError, BrokenExecutor, CancelledError):
                raise
            except Exception:  # the worker was lost: an op that dies is no exception, see `work`
                self._losses[number] += 1
                if self._losses[number] > _LOSSES:
                    raise
                self._again.append(number)
            else:
                yield number, done

    def cancel(self) -> None:
        """Let the executor forget what it has not begun."""
        for future in self._waiting:
            future.cancel()


def _size_of(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it says so."""
    said = getattr(executor, "_max_workers", None)
    return said if isinstance(said, int) else _WORKERS


def _said(error: Exception) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
