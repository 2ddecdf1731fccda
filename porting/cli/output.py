"""Files that a command writes: refused before the work when they cannot be written, never half-written."""

import argparse
import os
import tempfile
from pathlib import Path

from porting.errors import PortingError


class OutputError(PortingError):
    """A file cannot be written there."""


def ensure_writable(path: Path, option: str) -> None:
    """Refuse a path that could not be written later; leaves nothing behind.

    Raises
    ------
    OutputError
        If the folder is not there, is no folder, or refuses new files, or if the path is a folder.
    """
    if path.is_dir():
        raise OutputError(f"{option} {path}: is a folder; give a file in it")
    if not path.parent.is_dir():
        raise OutputError(f"{option} {path}: the folder {path.parent} does not exist; create it first")
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise OutputError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def write_text(path: Path, text: str, option: str) -> None:
    """Write beside, then rename, so that no reader sees half a file and an existing one is lost only for a whole one.

    Raises
    ------
    OutputError
        If writing fails; what was there before is still there.
    """
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(beside).chmod(0o666 & ~_umask())
        os.replace(beside, path)  # noqa: PTH105 - as in the comment: rename
    except OSError as error:
        Path(beside).unlink(missing_ok=True)
        raise OutputError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def positive(text: str) -> int:
    """Read a whole number from 1 up, for argparse."""
    return _at_least(1, text)


def natural(text: str) -> int:
    """Read a whole number from 0 up, for argparse."""
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} up")
    return number


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
