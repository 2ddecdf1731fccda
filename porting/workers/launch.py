"""Starts a process in which users' code will run, without running the user's main script again."""

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, Final, TypeAlias

from porting.workers.needs import NEEDS

Environment: TypeAlias = Mapping[str, str | None]  # by name; None: not set

METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_said: Final[list[int]] = []  # the descriptor of the file that the server writes to
_ENVIRONMENT: Final = {"OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}


def launch(process: Any, preload: Sequence[str], environment: Environment | None = None) -> None:
    """Start a process of the context of `method_for`.

    The first call also starts the server, which imports the modules of `preload` and forks workers. A process with its
    own environment is a new interpreter, because some variables are read only when a program starts.
    """
    multiprocessing.set_executable(sys.executable)
    with _blank_main(), _environment(environment or {}):
        if method_for(environment) != "forkserver":
            with _no_interrupt(), _own_stderr():
                process.start()
            return
        from multiprocessing import forkserver, resource_tracker, util

        resource_tracker.ensure_running()  # unblocks SIGINT, so not below
        with _no_interrupt(), _own_stderr(), _environment({NEEDS: ",".join(preload)}):
            forkserver.set_forkserver_preload(
                ["porting.workers.uncollected", "porting.workers.preload", "porting.workers.frozen"]
            )
            known = _server()
            forkserver.ensure_running()
            if (started := _server()) not in (known, None):
                util.Finalize(None, _end, args=[started], exitpriority=-1)  # after our children have ended
        process.start()  # waits for the preload, the first time


def method_for(environment: Environment | None) -> str:
    """Return how multiprocessing starts a process with this environment."""
    return METHOD if environment is None else "spawn"


def last_words() -> str:
    """Return the last line that the server has written to stderr, such as the end of its traceback."""
    text = os.pread(_said[0], 1 << 20, 0).decode(errors="replace").strip() if _said else ""
    return text.splitlines()[-1].strip()[:300] if text else ""


@contextmanager
def _own_stderr() -> Iterator[None]:
    """Have what is started write to a file of its own: a traceback of a server, or of a start, is not for the user."""
    with tempfile.TemporaryFile() as file:
        try:
            before = os.dup(2)
        except OSError:  # the user has closed it
            yield
            return
        old = _server()
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            if _server() != old:
                for descriptor in _said:
                    os.close(descriptor)
                _said[:] = [os.dup(file.fileno())]


def _server() -> int | None:
    """Return the process id of the server, if it was started."""
    if METHOD != "forkserver":  # the module may be missing too
        return None
    from multiprocessing import forkserver

    return getattr(forkserver._forkserver, "_forkserver_pid", None)  # noqa: SLF001 - nothing else tells


def _end(server: int) -> None:
    """Kill a server that has nobody to fork for: taking its frameworks down would take a second."""
    with suppress(OSError):
        os.kill(server, signal.SIGKILL)


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
def _environment(own: Environment) -> Iterator[None]:
    """Have what is started find its own variables, else the user's, else one thread and a quiet TensorFlow."""
    wanted = {**{name: value for name, value in _ENVIRONMENT.items() if name not in os.environ}, **own}
    before = {name: os.environ.get(name) for name in wanted}
    try:
        _put(wanted)
        yield
    finally:
        _put(before)


def _put(variables: Environment) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


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
