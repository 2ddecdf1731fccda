"""Starting a process that other people's code is going to run in, without running the user's main script again."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

METHOD: Final = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
_ENVIRONMENT: Final = {"OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}


def launch(process: Any, preload: Sequence[str]) -> None:
    """Start a process; the first time, also the server that imports the modules of `preload` and forks workers."""
    with _blank_main(), _environment():
        if METHOD != "forkserver":
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
