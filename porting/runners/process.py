"""Starts the process of another interpreter, sends requests to it, and says in one line why it cannot be used."""

import io
import os
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, cast

from porting.errors import PairError, RunnerError
from porting.runners.bundle import bundle
from porting.runners.wire import receive, send, write_all
from porting.workers.fate import fate
from porting.workers.frames import WireError

_GREETING: Final = b"\0gradport "
_PATIENCE: Final = 30.0  # seconds until it has said its version and NumPy's
_NOISE: Final = 1 << 16  # bytes that it may print before
_RUN: Final = (
    "import sys; s = getattr(sys.stdin, 'buffer', sys.stdin); "
    "exec(compile(s.read(int(sys.argv[1])).decode('utf-8'), '<gradport>', 'exec'))"
)


class InterpreterProcess:
    """Another interpreter, running our worker for one framework.

    Attributes
    ----------
    python, numpy : str
        The versions there.

    Raises
    ------
    RunnerError
        If it is not there, is not Python, is too old or has no NumPy.
    """

    def __init__(self, interpreter: str, key: str, name: str) -> None:
        self.name = name  # in messages
        self._failed: RunnerError | None = None
        path = _found(interpreter, name)
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        text = bundle().encode()
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
        environment.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own interpreter
                [path, "-c", _RUN, str(len(text)), key],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                bufsize=0,
            )
        except OSError as error:
            self._said.close()
            raise RunnerError(f"{self.name}: it cannot be started ({error.strerror or error})") from None
        weakref.finalize(self, _end, self._process, self._said)
        self._requests, self._answers = _pipes(self._process)
        threading.Thread(target=_hand_over, args=[self._requests, text], daemon=True).start()  # it may not be read
        with self.within(_PATIENCE):
            self.python = self._greeted("python ", "no Python interpreter")
            if tuple(int(part) for part in self.python.split(".")) < (3, 7):
                raise RunnerError(f"{self.name}: it is Python {self.python}; 3.7 or later is wanted")
            self.numpy = self._greeted("numpy ", f"Python {self.python} without NumPy")

    def ask(self, *request: Any) -> Any:
        """Return the answer to a request of `porting.runners.serve`.

        Raises
        ------
        PairError
            If the answer is an error that the user can fix.
        RunnerError
            If the process is gone, or answers something else.
        """
        if self._failed is not None:  # said before; who cleans up afterwards is not to hide it
            raise self._failed
        try:
            send(self._requests, request)
            kind, answer = receive(self._answers)
        except TypeError as error:
            raise RunnerError(f"{self.name}: it cannot be sent {error}") from None
        except (WireError, OSError) as error:
            garbage = isinstance(error, WireError) and str(error)
            what = (
                f"answered {error}, {_at(request)}"
                if garbage
                else f"{self._fate()}, {_at(request)}{self._last_words()}"
            )
            self._failed = RunnerError(f"{self.name}: it {what}")
            raise self._failed from None
        if kind == "error":
            raise PairError(answer)
        return answer

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Kill the process if the block takes longer."""
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except RunnerError:
            if late.is_set():
                raise RunnerError(f"{self.name}: it said nothing for {seconds:g} s") from None
            raise
        finally:
            timer.cancel()

    def _greeted(self, what: str, otherwise: str) -> str:
        """Return what a line of greeting says; whatever is printed before it is passed over."""
        noise = b""
        while len(noise) < _NOISE and (line := self._answers.readline(_NOISE)):
            if line.startswith(_GREETING + what.encode()):
                return line[len(_GREETING) + len(what) :].decode().strip()
            noise += line
        self._process.kill()
        words = noise.rpartition(_GREETING)[2].decode(errors="replace").strip() or self._last_words().removeprefix(": ")
        said = f"; it said: {words.splitlines()[0][:200]!r}" if words else ""
        raise RunnerError(f"{self.name}: it is {otherwise}{said}")

    def _fate(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return fate(self._process.wait(5))
        return "closed its pipe"

    def _last_words(self) -> str:
        self._said.seek(0)
        lines = self._said.read()[-_NOISE:].decode(errors="replace").strip().splitlines()
        return f": {lines[-1].strip()[:300]}" if lines else ""


def _found(interpreter: str, name: str) -> str:
    """Return the path of an interpreter, which may be a command of the search path."""
    path = Path(interpreter)
    command = shutil.which(interpreter)
    if command is not None:
        return command
    if path.is_dir():
        raise RunnerError(f"{name}: is a folder; give the interpreter in it, such as {path / 'bin' / 'python'}")
    if path.exists():
        raise RunnerError(f"{name}: cannot be executed; give a Python interpreter")
    raise RunnerError(f"{name}: there is no such file or command; give a Python interpreter")


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None  # noqa: S101 - for mypy; both are pipes
    assert process.stdout is not None  # noqa: S101
    return process.stdin, io.BufferedReader(cast("io.RawIOBase", process.stdout))


def _hand_over(requests: IO[bytes], text: bytes) -> None:
    with suppress(OSError, ValueError):  # closed meanwhile
        write_all(requests, text)


def _at(request: tuple[Any, ...]) -> str:
    """Say what a request asked for."""
    name = request[0]
    doing = {"hello": "importing the framework", "load": f"importing {request[-1]}", "run": "running the function"}
    return doing.get(name, f"asked for {name}")


def _end(process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
    process.kill()
    for file in (process.stdin, process.stdout, said):
        with suppress(OSError):
            if file:
                file.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
