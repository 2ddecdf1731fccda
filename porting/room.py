"""How much memory there is, and sizes in words."""

import os
from typing import Final

_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB", "ZB")
_STEP: Final = 1000
_ANYWHERE: Final = 1 << 44  # bytes, where nothing says how many there are: no machine has so many


def memory_here() -> int:
    """Return the bytes of memory that this machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows has no such call
        return _ANYWHERE


def in_words(size: int) -> str:
    """Return a number of bytes for people.

    >>> in_words(8 * 10**15), in_words(512)
    ('8.0 PB', '512 bytes')
    """
    number, unit = float(size), 0
    while number >= _STEP and unit < len(_UNITS) - 1:
        number, unit = number / _STEP, unit + 1
    return f"{number:.1f} {_UNITS[unit]}" if unit else f"{size} bytes"
