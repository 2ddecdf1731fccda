"""Says how a process ended, and why: as one of a few reasons, and as a sentence."""

import signal
from typing import Final

TIMEOUT, MEMORY, SIGNAL, EXIT = REASONS = "timeout", "memory", "signal", "exit"
_KILLED: Final = -9  # SIGKILL is what the kernel sends where there is no memory left


def reason(code: int) -> str:
    """Return why a process ended, by its exit code."""
    return EXIT if code >= 0 else MEMORY if code == _KILLED else SIGNAL


def fate(code: int) -> str:
    """Say what an exit code means, as `subprocess` and `multiprocessing` give it: ``was killed by SIGSEGV``."""
    if code >= 0:
        return f"left with exit code {code}"
    return f"was killed by {next((s.name for s in signal.Signals if s == -code), f'signal {-code}')}"
