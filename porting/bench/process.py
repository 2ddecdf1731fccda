"""A separate measuring process for each framework: one thread, tuned malloc, restarted when it dies or hangs."""

from types import TracebackType
from typing import Any, Final, Self

from porting.workers.launch import Environment
from porting.workers.pool import EarlyEndError, Ended, Pool

# One thread each; freed memory is kept, or the numbers are those of the kernel's page faults. TensorFlow's rounding
# order is what it chooses for this CPU. A vector instruction set that the CPU lists is taken without compiling probes.
TIMING: Final[Environment] = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": None,
    "MALLOC_MMAP_THRESHOLD_": str(4 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(8 << 30),
    "NUMPY_MADVISE_HUGEPAGE": "0",
    "TORCHINDUCTOR_VEC_ISA_OK": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
}
# Every tensor is a mapping of its own, given back when it is freed: resident memory says what is held. With oneDNN
# TensorFlow would keep what is freed.
MEMORY: Final[Environment] = {
    **TIMING,
    "MALLOC_MMAP_THRESHOLD_": "65536",
    "MALLOC_TRIM_THRESHOLD_": "65536",
    "TF_ENABLE_ONEDNN_OPTS": "0",
}
PATIENCE: Final = 240.0  # seconds without a word
HANDLER: Final = "porting.bench.worker:answer"
FAILED: Final = "failed"  # the kind of the last word, where there is no answer
REFUSED: Final = "refused"  # where the user's own functions cannot be measured


class NoAnswerError(Exception):
    """The process died, stopped answering, or could not do what it was asked; the message says which."""


class Process:
    """A measuring process, started with the first question; a context manager.

    Parameters
    ----------
    environment : mapping
        `TIMING` or `MEMORY`.
    patience : float
        Seconds without a word after which it is given up.
    """

    def __init__(self, environment: Environment, patience: float = PATIENCE) -> None:
        self._pool = Pool(1, HANDLER, timeout=patience, environment=environment)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._pool.close()

    def ask(self, question: dict[str, Any]) -> Any:
        """Return the answer to a question of `porting.bench.worker`.

        Raises
        ------
        NoAnswerError
            If there is none.
        PortingError
            If the question is about functions of the user's that cannot be loaded.
        """
        try:
            *_, (_, last) = self._pool.run([question])
        except EarlyEndError as error:
            raise NoAnswerError(str(error)) from None
        if isinstance(last, Ended):
            raise NoAnswerError(f"the process {last.how}{f', at {last.where}' * bool(last.where)}")
        kind, answer = last
        if kind == REFUSED:
            raise answer
        if kind == FAILED:
            raise NoAnswerError(answer)
        return answer
