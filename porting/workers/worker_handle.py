"""The parent's end of one worker process: it sends jobs, reads messages, and says how the process ended."""

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
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, Self

from porting.errors import PortingError
from porting.workers import children
from porting.workers.fate import EXIT, MEMORY, fate, reason
from porting.workers.frames import SIZE, frame
from porting.workers.launch import Environment, last_words, launch, method_for
from porting.workers.worker import LOST, STAGE, serve

START: Final = 300.0  # seconds for a worker to import its handler, on a busy machine
_GRACE: Final = 0.5  # seconds for a worker to write its stack, to die, or to go on with half an item
_STARTS: Final = threading.Lock()
LONGEST_WAIT: Final = 3600.0  # poll() cannot wait for weeks


class WorkerError(PortingError):
    """A worker process cannot be started or given a job."""


class NoWorkerError(WorkerError):
    """A worker process cannot be started."""


class EarlyEndError(NoWorkerError):
    """A worker process ended before it could take a job."""


class HandlerError(WorkerError):
    """The handler in a worker process raised, which it should not; the message is its traceback."""

    internal = True


@dataclass(eq=False)
class Handle:
    """The parent's end of one worker process."""

    process: Any
    pipe: socket.socket
    stage: Any
    trace: IO[bytes]  # where the worker's faulthandler writes
    scratch: tempfile.TemporaryDirectory[str]  # for its temporary files, which a process that is killed leaves behind
    deadline: float
    ready: bool = False
    job: int = -1
    done: int = 0
    buffer: bytearray = field(default_factory=bytearray)

    @classmethod
    def start(
        cls, handler: str, memory: int | None, preload: Sequence[str], environment: Environment | None = None
    ) -> Self:
        """Start a process; it sends a message when it is ready."""
        context = multiprocessing.get_context(method_for(environment))
        with ExitStack() as opened:
            try:
                stage = context.RawArray("c", STAGE)
                ours, theirs = (opened.enter_context(end) for end in socket.socketpair())
                trace = opened.enter_context(tempfile.TemporaryFile())
                scratch = tempfile.TemporaryDirectory(prefix="porting-", ignore_cleanup_errors=True)
                opened.enter_context(scratch)
                arguments = (handler, theirs, stage, memory, scratch.name)
                with _as_parent():
                    process = context.Process(target=serve, args=arguments)  # type: ignore[attr-defined]
                    launch(process, preload, environment)
                children.own.add(process.pid)
                theirs.close()
                if hasattr(socket, "send_fds"):
                    socket.send_fds(ours, [b"t"], [trace.fileno()])
            except BrokenPipeError as error:  # it is gone before it has read what it is to do
                raise EarlyEndError(f"a worker process ended while it was started: {sys.executable}") from error
            except EOFError as error:  # the server that forks died: over a module, or because it cannot fork
                reason = last_words() or "the server that forks has ended"
                raise NoWorkerError(
                    f"no worker process can be started ({reason}; preloaded: {', '.join(preload)})"
                ) from error
            except (OSError, MemoryError) as error:
                raise NoWorkerError(f"no worker process can be started ({str(error) or 'out of memory'})") from error
            opened.pop_all()
        return cls(process, ours, stage, trace, scratch, time.monotonic() + START)

    @property
    def busy(self) -> bool:
        """Whether it has a job."""
        return self.job >= 0

    @property
    def idle(self) -> bool:
        """Whether it waits for one."""
        return self.ready and not self.busy

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.exitcode is None

    def take(self, index: int, job: Any, timeout: float) -> bool:
        """Send a job; tell whether the worker was alive to take it."""
        try:
            message = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise WorkerError(f"job {index} cannot be sent to a worker process: {error}") from error
        self.stage.value = b"import"
        self.pipe.settimeout(min(timeout, LONGEST_WAIT))
        try:
            self.pipe.sendall(frame(message))
        except OSError:  # closed, or stopped
            return False
        self.job, self.done, self.deadline = index, 0, time.monotonic() + timeout
        return True

    def rest(self) -> None:
        """Be ready for the next job."""
        self.ready, self.job, self.deadline = True, -1, math.inf

    def read(self) -> list[tuple[str, Any]] | None:
        """Read the bytes that have arrived, perhaps half an item; `None` at the end."""
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

    def fate(self) -> tuple[str, str]:
        """Return why the process ended, and in words how, or that it has closed its socket."""
        self.process.join(_GRACE)
        code = self.process.exitcode
        if code is None or code == LOST:
            return EXIT, "closed the connection to its parent"
        why = reason(code)
        return why, fate(code) + " (out of memory?)" * (why == MEMORY)

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
            self.process.join(START)
            children.own.discard(self.process.pid)
            self.process.close()
        self.scratch.cleanup()


_FRAME: Final = re.compile(r'^  File "([^<"][^"]*)", line (\d+) in ', re.MULTILINE)
_PACKAGE: Final = Path(__file__).resolve().parents[1]
_LIBRARIES: Final = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]


def innermost(stack: str) -> str:
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


@contextmanager
def _as_parent() -> Iterator[None]:
    """Let a daemonic process, such as a worker of dask, have a child: ours ends with its parent in any case.

    Its threads take turns, or one would see what another one has changed.
    """
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined] # noqa: SLF001 - says who may
    with _STARTS:
        daemon = config.pop("daemon", None)
        try:
            yield
        finally:
            if daemon is not None:
                config["daemon"] = daemon
