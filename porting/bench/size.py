"""Reads and writes sizes in the form that people use, such as ``2^16``."""

import re


def parse_size(text: str) -> int:
    """Read ``2^16`` or ``65536``.

    Raises
    ------
    ValueError
        If it is neither, or less than 1.

    Examples
    --------
    >>> parse_size("2^16")
    65536
    """
    match = re.fullmatch(r"\s*(\d{1,12})(?:\^(\d{1,2}))?\s*", text)
    size = int(match[1]) ** int(match[2] or 1) if match else 0
    if size < 1:
        raise ValueError(f"{text!r} is no size: 65536 or 2^16 is wanted")
    return size


def written_size(size: int) -> str:
    """Return ``2^16`` for 65536, and other sizes as they are."""
    return f"2^{size.bit_length() - 1}" if size & (size - 1) == 0 else str(size)
