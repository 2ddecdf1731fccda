"""Where what takes long to make is kept between runs: a folder in the user's cache, which may be deleted."""

from __future__ import annotations

import hashlib
import os
import platform
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

SETTING = "PORTING_CACHE"  # the environment variable: a folder instead of the usual one; empty, nothing is kept


def folder_for(name: str) -> str | None:
    """Return a folder that exists and can be written to; `None` where nothing is kept.

    Parameters
    ----------
    name : str
        What is kept, with the versions of what made it. Machine code of one processor is not given to another one.
    """
    if os.environ.get(SETTING) == "":
        return None
    try:
        folder = _root() / f"{name}-{_processor()}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home, no room, no right to write
        return None
    return str(folder) if os.access(folder, os.W_OK | os.X_OK) else None


def _root() -> Path:
    """Return the folder of all that is kept."""
    own = os.environ.get(SETTING)
    if own is not None:
        return Path(own).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "porting"


@lru_cache(maxsize=1)
def _processor() -> str:
    """Return a short text that differs where processors have other instructions."""
    said = [platform.machine(), platform.processor()]
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        said += sorted({line for line in lines if line.startswith(("flags", "Features", "model name"))})
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:8]
