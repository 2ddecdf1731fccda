"""Writing files: refused before the work when they cannot be written, never half-written, none lost."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from porting.errors import PortingError

STANDARD: Final = Path("-")  # standard output


class OutputError(PortingError, OSError):
    """A file cannot be written there."""


def ensure_writable(path: Path, option: str) -> None:
    """Refuse a path that could not be written later; leaves nothing behind.

    Parameters
    ----------
    path : pathlib.Path
        Where something is going to be written.
    option : str
        What the user gave it as, for the message: ``--json``.

    Raises
    ------
    OutputError
        If the folder is not there, is no folder, or refuses new files, or if the path is a folder.
    """
    if path == STANDARD:
        return
    if path.is_dir():
        raise OutputError(f"{option} {path}: is a folder; give a file in it")
    if not path.parent.is_dir():
        raise OutputError(f"{option} {path}: the folder {path.parent} does not exist; create it first")
    if _is_special(path):
        return
    try:
        with tempfile.NamedTemporaryFile(dir=path.resolve().parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise OutputError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def write(path: Path, content: str | bytes, option: str) -> None:
    """Write beside, then rename: no reader sees half a file, and an existing one is lost only for a whole one.

    A link is followed, and a device or a pipe such as ``/dev/stdout`` is written to, not replaced. ``-`` is standard
    output, whatever `sys.stdout` is at the time.

    Raises
    ------
    OutputError
        If writing fails; what was there before is still there.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path == STANDARD:
            _print(data)
            return
        if _is_special(path):
            with path.open("wb") as stream:
                stream.write(data)
            return
    except OSError as error:
        raise OutputError(f"{option} {path}: cannot be written: {error.strerror or error}") from error
    with replacing(path, option) as beside:
        beside.write_bytes(data)


@contextmanager
def replacing(path: Path, option: str) -> Iterator[Path]:
    """Give a file beside to write to, and rename it when the block is done; see `write`.

    Raises
    ------
    OutputError
        If writing fails; what was there before is still there.
    """
    try:
        target = path.resolve()
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(descriptor)
        beside = Path(name)
        try:
            yield beside
            beside.chmod(0o666 & ~_umask())
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(f"{option} {path}: cannot be written: {error.strerror or error}") from error


def write_all(texts: Mapping[Path, str], option: str) -> None:
    """Write all files, with the folders that they need, or none: what was there before is there again after a failure.

    Raises
    ------
    OutputError
        If one of them cannot be written.
    """
    before: dict[Path, bytes | None] = {}
    folders: list[Path] = []
    try:
        for path, text in texts.items():
            for folder in reversed([parent for parent in path.parents if not parent.exists()]):
                folder.mkdir()
                folders.append(folder)
            before[path] = path.read_bytes() if path.exists() else None
            write(path, text, option)
    except BaseException as error:
        for path, content in before.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(content)
        for folder in reversed(folders):
            folder.rmdir()
        if isinstance(error, OSError) and not isinstance(error, OutputError):
            raise OutputError(f"{option}: {error.filename}: cannot be written: {error.strerror or error}") from error
        raise


def _print(data: bytes) -> None:
    try:
        with open(1, "wb", closefd=False) as stream:
            stream.write(data)
    except BrokenPipeError:  # whoever read it has gone, which says nothing about what was to be written
        return


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
