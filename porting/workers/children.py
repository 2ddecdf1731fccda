"""The child processes of this process: those of its own pools may stay for further jobs, others may not."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

own: Final[set[int]] = set()  # process ids of the workers that this process has started


def has_others() -> bool:
    """Tell whether this process has children besides its own workers; where only their number can be had, any."""
    if not hasattr(os, "waitid") or sys.platform == "win32":
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    found = _children() if own else None
    return found is None or not found <= own


def _children() -> set[int] | None:
    """Return the process ids of all children, ended ones that nobody has waited for among them; only Linux tells."""
    found: set[int] = set()
    told = False
    with suppress(OSError):
        for file in Path("/proc/self/task").glob("*/children"):
            with suppress(FileNotFoundError):  # the thread has ended
                found.update(map(int, file.read_text(encoding="ascii").split()))
                told = True
    return found if told else None
