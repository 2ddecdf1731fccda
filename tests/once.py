"""What takes long is made once for all processes of a run of the tests."""

import fcntl
import os
from pathlib import Path

_FOLDER = {}


def share_in(base):
    """Say which folder pytest has made for this process; that of the whole run is around it, if there are several."""
    _FOLDER["of all"] = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def once(name, make):
    """Return the text that the first process made."""
    file = Path(_FOLDER["of all"]) / f"{name}.made"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            file.write_text(make(), encoding="utf-8")
    return file.read_text(encoding="utf-8")
