"""A measuring process of our own for each framework: one thread, tuned malloc, restarted when it dies or hangs."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Any, Final, Self

# One thread each; freed memory is kept, or the numbers are those of the kernel's page faults. TensorFlow's rounding
# order is what it chooses for this CPU. A vector instruction set that the CPU lists is taken without compiling probes.
TIMING: Final = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(8 << 30),
    "NUMPY_MADVISE_HUGEPAGE": "0",
    "TORCHINDUCTOR_VEC_ISA_OK": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}
# Every tensor is a mapping of its own, given back when it is freed: resident memory says what is held. With oneDNN
# TensorFlow would keep what is freed.
MEMORY: Final = {
    **TIMING,
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "65536",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}
PATIENCE: Final = 240.0  # seconds without a word


class WorkerError(Exception):
    """The process died, fell silent, or could not do what it was asked; the message says which."""


class Worker:
    """A measuring process, started with the first question; a context manager.

    Parameters
    ----------
    environment : mapping
        `TIMING` or `MEMORY`.
    patience : float
        Seconds without a word after which it is given up.
    """

    def __init__(self, environment: dict[str, str], patience: float = PATIENCE) -> None:
        self._environment, self._patience = environment, patience
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._noise: Any = None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.stop()

    def ask(self, question: dict[str, Any], on_word: Callable[[dict[str, Any]], None] = lambda _: None) -> Any:
        """Ask, hand on what is said in between, and return the answer.

        Raises
        ------
        WorkerError
            If there is none.
        """
        if self._process is None or self._process.poll() is not None:
            self._start()
        assert self._process is not None  # noqa: S101 - for the type checker
        assert self._process.stdin is not None  # noqa: S101 - for the type checker
        try:
            print(json.dumps(question), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise WorkerError(self._epitaph()) from None
        while True:
            try:
                line = self._answers.get(timeout=self._patience)
            except queue.Empty:
                self.stop()
                raise WorkerError(f"gave no sign of life for {self._patience:.0f} s: given up") from None
            if line is None:
                raise WorkerError(self._epitaph())
            word = json.loads(line)
            if "done" in word:
                return word["done"]
            if "failed" in word:
                raise WorkerError(word["failed"])
            on_word(word)

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            with suppress(BrokenPipeError):
                self._process.stdin.close()  # type: ignore[union-attr]  # it is a pipe
            self._process = None
        if self._noise is not None:
            self._noise.close()
            self._noise = None

    def _start(self) -> None:
        self.stop()
        self._noise = TemporaryFile()  # noqa: SIM115 - closed by stop
        root = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))
        inherited = {name: value for name, value in os.environ.items() if name != "TF_ENABLE_ONEDNN_OPTS"}  # set by us
        self._process = subprocess.Popen(
            [sys.executable, "-m", "porting.bench.worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._noise, text=True,
            env={**inherited, **self._environment, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is for us; we end it
        )  # fmt: skip
        self._answers = queue.Queue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()

    def _epitaph(self) -> str:
        assert self._process is not None  # noqa: S101 - for the type checker
        code = self._process.wait()
        self._noise.seek(0)
        said = self._noise.read().decode(errors="replace").strip().splitlines()
        return f"the process died with {code}: {said[-1][:160]}" if said else f"the process died with {code}"


def _listen(stream: Any, answers: "queue.Queue[str | None]") -> None:
    with stream:
        for line in stream:
            answers.put(line)
    answers.put(None)
