"""The code that runs inside a worker process: it reads jobs from a socket, and sends the items that the handler yields.

The code that a handler calls may do anything, so it is not trusted: no exit code means success, no output reaches the
terminal, and the process ends with `os._exit`, which waits for no thread.
"""

import faulthandler
import os
import pickle
import signal
import socket
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any, Final

from porting.workers.children import has_others
from porting.workers.fate import EXIT, MEMORY
from porting.workers.frames import SIZE, WireError, read_frame

READY, ITEM, DONE, DIRTY, FAILED, ENDED = "ready", "item", "done", "dirty", "failed", "ended"
STAGE: Final = 64  # characters of shared memory, for the name of a stage
LOST: Final = 113  # exit code: the socket is gone

Announce = Callable[[str], None]
Handler = Callable[[Any, Announce], Iterator[Any]]


def serve(handler: str, pipe: socket.socket, stage: Any, memory: int | None, scratch: str) -> None:
    """Answer jobs until the socket closes.

    Parameters
    ----------
    handler : str
        ``package.module:function``, a generator function of a job and of `announce`.
    pipe : socket.socket
        Jobs in, messages out: `SIZE`, then a pickle of (kind, value).
    stage : ctypes array of char
        Shared memory for the name of the stage that a job is in.
    memory : int, optional
        Bytes that may be mapped on top of what is mapped when serving starts.
    scratch : str
        A directory for temporary files; the parent removes it.
    """
    code = 1
    tempfile.tempdir = scratch
    try:
        trace = _detach(pipe)
        _no_core_file()
        _end_with_parent()
        send, announce, jobs = _sender(pipe), _announcer(stage), pipe.makefile("rb")
        try:
            module, _, name = handler.partition(":")
            function = getattr(import_module(module), name)
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent must hear of it
            if _lacks_room(error):
                send(ENDED, (EXIT, f"could not import {module} ({str(error) or 'out of memory'})", ""))
            else:
                send(FAILED, traceback.format_exc())
            return
        if memory is not None:
            _limit(memory)
        send(READY, None)
        before = _left_behind()
        while True:
            kind, value = _answer(function, read_frame(jobs), send, announce)
            if kind == DONE and _left_behind() != before:
                kind = DIRTY
            send(kind, value)
            if kind != DONE:
                break
        code = 0
    except WireError:  # the parent has closed the socket
        code = 0
    finally:
        del trace  # kept open until here: a crash is written to it
        if code == 0:
            _end_group()
        os._exit(code)


def _answer(function: Handler, job: bytes, send: Callable[[str, Any], None], announce: Announce) -> tuple[str, Any]:
    """Run one job; return the last message about it."""
    try:
        announce("import")  # reading a job imports what it names
        items = function(pickle.loads(job), announce)  # noqa: S301 - from our parent
        while True:
            try:
                item = next(items)
            except StopIteration as end:
                return (DIRTY if end.value == "dirty" else DONE), None
            send(ITEM, item)
    except MemoryError as error:
        _limit(None)  # there must be room to tell
        return ENDED, (MEMORY, "ran out of memory", _frames(error))
    except Exception:  # noqa: BLE001 - a handler must not raise: the parent hears what and where
        return FAILED, traceback.format_exc()
    except BaseException as error:  # noqa: BLE001 - SystemExit, KeyboardInterrupt: the code in the job wants to leave
        said = traceback.format_exception_only(error)[-1].strip().partition("\n")[0]
        return ENDED, (EXIT, f"raised {said}", _frames(error))


def _lacks_room(error: Exception) -> bool:
    """Tell whether an import failed for want of memory or files, not because of what the module says."""
    library = isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError)  # it cannot be mapped
    return library or isinstance(error, MemoryError | OSError)


def _frames(error: BaseException) -> str:
    """Say where an exception came from in the words of faulthandler, innermost frame first."""
    frames = list(traceback.walk_tb(error.__traceback__))
    return "\n".join(f'  File "{frame.f_code.co_filename}", line {line} in ?' for frame, line in reversed(frames))


def _sender(pipe: socket.socket) -> Callable[[str, Any], None]:
    owner = os.getpid()

    def send(kind: str, value: Any) -> None:
        message = pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL)
        if os.getpid() != owner:  # a fork that came back from the code in the job
            os._exit(0)
        try:
            pipe.sendall(SIZE.pack(len(message)))
            pipe.sendall(message)
        except OSError:
            os._exit(LOST)

    return send


def _announcer(stage: Any) -> Announce:
    def announce(name: str) -> None:
        stage.value = name.encode()[: STAGE - 1]

    return announce


def _detach(pipe: socket.socket) -> Any:
    """Leave the terminal and the process group; write the stack of a crash, or on SIGUSR1, to the parent's file."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if not hasattr(os, "setsid"):
        return None
    os.setsid()  # children of the code in a job die with the group
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    _, [trace], *_ = socket.recv_fds(pipe, 1, 1)
    faulthandler.enable(trace)
    faulthandler.register(signal.SIGUSR1, trace)
    return trace


def _end_with_parent() -> None:
    """Make sure that this process and its children die when the parent does, even by SIGKILL."""
    parent = parent_process()
    assert parent is not None  # noqa: S101 - for mypy; a worker has one
    sentinel = parent.sentinel  # a pipe that closes when the parent ends
    try:
        import fcntl

        # The kernel sends the signal: a thread would wait for the GIL, which the code in a job may never give back.
        fcntl.fcntl(sentinel, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    except (ImportError, AttributeError, OSError):  # not Linux
        threading.Thread(target=_watch, args=[sentinel], daemon=True).start()
    if connection.wait([sentinel], 0):  # it has ended already
        os._exit(LOST)


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    _end_group()
    os._exit(LOST)


def _end_group() -> None:
    """Kill this process and its children: the parent, which kills the group too, may be killed before it does."""
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)


def _limit(memory: int | None) -> None:
    """Limit the address space to what is mapped now and so many bytes more; `None` lifts the limit."""
    try:
        import resource

        limit = most = resource.getrlimit(resource.RLIMIT_AS)[1]
        if memory is not None:
            mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])  # pages
            wanted = mapped * resource.getpagesize() + memory
            limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    except (ImportError, OSError, ValueError):  # no such limit here
        return


def _no_core_file() -> None:
    with suppress(ImportError):  # Windows writes none
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _left_behind() -> tuple[str, int, bool]:
    """Return what a job could leave for the next one to stumble over: another folder, threads, child processes.

    The workers of a pool that the job keeps stay: they end with this process.
    """
    try:
        folder = str(Path.cwd())
    except OSError:
        folder = ""
    return folder, threading.active_count(), has_others()
