"""How a process ended, in words."""

import signal


def fate(code: int) -> str:
    """Say what an exit code means, as `subprocess` and `multiprocessing` give it: ``was killed by SIGSEGV``."""
    if code >= 0:
        return f"left with exit code {code}"
    return f"was killed by {next((s.name for s in signal.Signals if s == -code), f'signal {-code}')}"
