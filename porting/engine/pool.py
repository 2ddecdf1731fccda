"""Worker processes in which code of other people runs: it may hang, crash or eat memory, and only its job is lost."""

import math
import multiprocessing
import os
import pickle
import re
import signal
import socket
import sys
import sysconfig
import tempfile
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final, Self

from porting.engine.worker import DIRTY, ENDED, FAILED, ITEM, LOST, SIZE, STAGE, serve
from porting.errors import PortingError

_METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_ENVIRONMENT: Final = {"OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
_START: Final = 300.0  # seconds for a worker to import its handler, on a busy machine
_GRACE: Final = 0.5  # seconds for a worker to write its stack, to die, or to go on with half an item
_LONGEST_WAIT: Final = 3600.0  # poll() cannot wait for weeks


class WorkerError(PortingError):
    """A worker process cannot be started or given a job, or the handler in it raised."""


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
    where : str
        ``file.py:12``, the innermost frame of the code in the job, or empty if it is not known.
    """

    job: int
    done: int
    stage: str
    how: str
    where: str = ""


class Pool:
    """Worker processes that run a handler. A context manager; when it closes, all workers are killed.

    A worker that ended is replaced, and so is one whose job left threads, child processes or another current folder
    behind.

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
        Modules that are imported once, before workers are forked. The server that forks them is started once in the
        life of a process; where it runs already, workers import what it lacks.
    """

    def __init__(
        self, size: int, handler: str, *, timeout: float, memory: int | None = None, preload: Sequence[str] = ()
    ) -> None:
        self._size = size
        self._handler = handler
        self._timeout = timeout
        self._memory = memory
        self._preload = list(preload)
        self._workers: list[_Worker] = []
        # For a pool that nobody closes: multiprocessing waits at exit for processes that are alive.
        self._close = weakref.finalize(self, _abandon, self._workers, os.getpid())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all workers and their children."""
        self._close()

    def run(self, jobs: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Run jobs, handed to free workers in order; one call at a time.

        Yields
        ------
        tuple of int and object
            Index of the job, and an item that it yielded or `Ended`, as they come.

        Raises
        ------
        WorkerError
            If the handler raised, or a job or an item cannot be pickled.
        """
        waiting = deque(enumerate(jobs))
        try:
            while waiting or any(worker.busy for worker in self._workers):
                if not self._close.alive:
                    raise WorkerError("the pool is closed")
                for worker in [worker for worker in self._workers if worker.idle][: len(waiting)]:
                    if worker.take(*waiting[0], self._timeout):
                        waiting.popleft()
                    else:
                        self._dismiss([worker])
                self._hire(len(waiting))
                yield from self._hear()
        finally:
            self._dismiss([worker for worker in self._workers if worker.busy])

    def _hire(self, jobs: int) -> None:
        free = sum(not worker.busy for worker in self._workers)
        for _ in range(min(jobs - free, self._size - len(self._workers))):
            self._workers.append(_Worker.start(self._handler, self._memory, self._preload))

    def _dismiss(self, workers: Sequence["_Worker"]) -> None:
        _bury(workers)
        self._workers[:] = [worker for worker in self._workers if worker not in workers]

    def _hear(self) -> Iterator[tuple[int, Any]]:
        """Wait until a worker says something, ends or is late, and say what that means."""
        nearest = min(worker.deadline for worker in self._workers) - time.monotonic()
        watched = [end for worker in self._workers for end in (worker.pipe, worker.process.sentinel)]
        ready = set(wait(watched, min(max(nearest, 0), _LONGEST_WAIT)))
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
                yield from self._end(worker, worker.fate(), worker.stack())
            elif worker in late:
                allowed = self._timeout if worker.ready else _START
                yield from self._end(worker, f"took longer than {allowed:g} s", worker.stack(ask=True))

    def _understand(self, worker: "_Worker", kind: str, value: Any) -> Iterator[tuple[int, Any]]:
        worker.deadline = time.monotonic() + self._timeout
        if kind == ITEM:
            worker.done += 1
            yield worker.job, value
        elif kind == ENDED:
            yield from self._end(worker, *value)
        elif kind == FAILED:
            self._dismiss([worker])
            raise WorkerError(f"{self._handler} raised in a worker process:\n{value}")
        elif kind == DIRTY:
            self._dismiss([worker])
        else:  # READY, DONE
            worker.rest()

    def _end(self, worker: "_Worker", how: str, stack: str) -> Iterator[tuple[int, Ended]]:
        self._dismiss([worker])
        if not worker.ready:
            raise WorkerError(f"a worker process ended before it could take a job: it {how}")
        if worker.busy:
            stage = worker.stage.value.decode(errors="replace")
            yield worker.job, Ended(worker.job, worker.done, stage, how, _innermost(stack))


@dataclass(eq=False)
class _Worker:
    """The parent's end of one worker process."""

    process: Any
    pipe: socket.socket
    stage: Any
    trace: IO[bytes]  # where the worker's faulthandler writes
    deadline: float
    ready: bool = False
    job: int = -1
    done: int = 0
    buffer: bytearray = field(default_factory=bytearray)

    @classmethod
    def start(cls, handler: str, memory: int | None, preload: Sequence[str]) -> Self:
        """Start a process; it is ready when it says so."""
        context = multiprocessing.get_context(_METHOD)
        stage = context.RawArray("c", STAGE)
        ours, theirs = socket.socketpair()
        trace = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the worker
        process = context.Process(target=serve, args=(handler, theirs, stage, memory))  # type: ignore[attr-defined]
        try:
            with theirs:
                _launch(process, preload)
            if hasattr(socket, "send_fds"):
                socket.send_fds(ours, [b"t"], [trace.fileno()])
        except BaseException as error:
            ours.close()
            trace.close()
            if isinstance(error, OSError | EOFError):  # the server that forks died over a module, perhaps
                raise WorkerError(f"no worker process can be started ({error!r}); preloaded: {preload}") from error
            raise
        return cls(process, ours, stage, trace, time.monotonic() + _START)

    @property
    def busy(self) -> bool:
        return self.job >= 0

    @property
    def idle(self) -> bool:
        return self.ready and not self.busy

    @property
    def alive(self) -> bool:
        return self.process.exitcode is None

    def take(self, index: int, job: Any, timeout: float) -> bool:
        """Hand over a job; tell whether the worker lives to take it."""
        try:
            message = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise WorkerError(f"job {index} cannot be sent to a worker process: {error}") from error
        self.stage.value = b"import"
        self.pipe.settimeout(min(timeout, _LONGEST_WAIT))
        try:
            self.pipe.sendall(SIZE.pack(len(message)) + message)
        except OSError:  # closed, or stopped
            return False
        self.job, self.done, self.deadline = index, 0, time.monotonic() + timeout
        return True

    def rest(self) -> None:
        """Be ready for the next job."""
        self.ready, self.job, self.deadline = True, -1, math.inf

    def read(self) -> list[tuple[str, Any]] | None:
        """Read what is there, which may be half an item; `None` at the end."""
        try:
            chunk = self.pipe.recv(1 << 20)
        except OSError:
            chunk = b""
        if not chunk:
            return None
        self.buffer += chunk
        messages = []
        while len(self.buffer) >= SIZE.size:
            end = SIZE.size + SIZE.unpack_from(self.buffer)[0]
            if len(self.buffer) < end:
                self.deadline = max(self.deadline, time.monotonic() + _GRACE)  # it may have waited for us to read
                break
            try:
                messages.append(pickle.loads(self.buffer[SIZE.size : end]))  # noqa: S301 - written by our handler
            except Exception as error:
                raise WorkerError(f"an item of job {self.job} cannot be read: {error}") from error
            del self.buffer[:end]
        return messages

    def fate(self) -> str:
        """Say how the process ended, or that it has closed its socket."""
        self.process.join(_GRACE)
        code = self.process.exitcode
        if code is None or code == LOST:
            return "closed the connection to its parent"
        if code >= 0:
            return f"left with exit code {code}"
        name = next((known.name for known in signal.Signals if known == -code), f"signal {-code}")
        return f"was killed by {name}" + " (out of memory?)" * (name == "SIGKILL")

    def stack(self, *, ask: bool = False) -> str:
        """Return what faulthandler wrote when the process crashed, or writes when it is asked to."""
        if not hasattr(signal, "SIGUSR1"):
            return ""
        if ask and self.alive:
            os.kill(self.process.pid, signal.SIGUSR1)
        end, text, before = time.monotonic() + _GRACE * ask, self._traced(), ""
        while time.monotonic() < end and not (text == before and "Current thread" in text):
            time.sleep(0.02)
            text, before = self._traced(), text
        return text

    def _traced(self) -> str:
        return os.pread(self.trace.fileno(), 1 << 20, 0).decode(errors="replace")

    def kill(self) -> None:
        """Kill the process and its children."""
        with suppress(ValueError):  # closed already: a Ctrl-C came in between
            if hasattr(os, "killpg"):
                with suppress(OSError):  # nobody is left, or it has not made its group yet
                    os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()

    def close(self) -> None:
        """Free what belonged to a killed process."""
        self.pipe.close()
        self.trace.close()
        with suppress(ValueError):
            self.process.join(_START)
            self.process.close()


def _bury(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.close()


def _abandon(workers: list[_Worker], owner: int) -> None:
    if os.getpid() == owner:  # not in a fork of the process that they belong to
        _bury(workers)
        workers.clear()


def _launch(process: Any, preload: Sequence[str]) -> None:
    with _blank_main(), _environment():
        if _METHOD != "forkserver":
            with _no_interrupt():
                process.start()
            return
        from multiprocessing import forkserver, resource_tracker

        resource_tracker.ensure_running()  # unblocks SIGINT, so not below
        with _no_interrupt():
            forkserver.set_forkserver_preload(list(preload))
            forkserver.ensure_running()
        process.start()  # waits for the preload, the first time


@contextmanager
def _blank_main() -> Iterator[None]:
    """Hide the main script from multiprocessing, which would run it again in every worker."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")  # without __file__ and __spec__ there is nothing to run
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _environment() -> Iterator[None]:
    """Have what is started find one thread and a quiet TensorFlow, unless the user says otherwise."""
    added = {name: value for name, value in _ENVIRONMENT.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Have what is started inherit a blocked SIGINT, so that Ctrl-C during its imports prints no traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_FRAME: Final = re.compile(r'^  File "([^<"][^"]*)", line (\d+) in ', re.MULTILINE)
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_LIBRARIES: Final = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]


def _innermost(stack: str) -> str:
    """Return ``file:line`` of the innermost frame that is neither ours nor a library's, the current thread first."""
    threads = re.split("^(?=Thread |Current thread )", stack, flags=re.MULTILINE)
    threads.sort(key=lambda thread: not thread.startswith("Current"))
    for thread in threads:
        for file, line in _FRAME.findall(thread):
            path = Path(file).resolve()
            ours = path.is_relative_to(_PACKAGE) and not path.is_relative_to(_PACKAGE / "selftest")
            installed = {"site-packages", "dist-packages"} & set(path.parts)
            if not ours and not installed and not any(path.is_relative_to(library) for library in _LIBRARIES):
                here = Path.cwd()
                return f"{path.relative_to(here) if path.is_relative_to(here) else path}:{line}"
    return ""
