"""The resident memory of this process, as Linux counts it; elsewhere nothing is measured."""

import re
from pathlib import Path

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


def measurable() -> bool:
    """Tell whether resident memory and its peak can be read and reset here."""
    return _STATUS.exists() and _RESET.exists()


def resident() -> int:
    """Return the bytes that are resident now."""
    return _read("VmRSS")


def peak() -> int:
    """Return the most bytes that were resident since `reset_peak`."""
    return _read("VmHWM")


def reset_peak() -> None:
    """Start a new measurement of the peak."""
    _RESET.write_text("5")  # as in proc(5)


def _read(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", _STATUS.read_text())
    if not found:
        raise OSError(f"{_STATUS} has no {name}")
    return int(found[1]) * 1024
