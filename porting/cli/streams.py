"""The standard streams of the command: signs as letters where UTF-8 is not written, and a reader that goes away."""

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final

from porting.files import STANDARD, OutputError
from porting.report.marks import LETTERS

_LETTERS: Final = {
    **LETTERS, "…": "...", "→": "->", "—": "-", "─": "-", "≤": "<=", "≥": ">=", "∂": "d",
    "\N{MULTIPLICATION SIGN}": "x", "\N{EN DASH}": "-", "\N{MINUS SIGN}": "-",
}  # fmt: skip
_ERRORS: Final = "porting.letters"
_WITHOUT: Final = ("C", "POSIX")  # of LC_ALL: who sets it so reads ASCII


def prepare() -> None:
    """Have both streams write letters for the signs that their encoding lacks, in place of a traceback or of ``?``."""
    codecs.register_error(_ERRORS, in_letters)
    plain = os.environ.get("LC_ALL") in _WITHOUT and not {"PYTHONIOENCODING", "PYTHONUTF8"} & os.environ.keys()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            # Python itself writes UTF-8 in the locale C, as most terminals of containers read that.
            reconfigure(errors=_ERRORS, **({"encoding": "ascii"} if plain else {}))


def in_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded, see `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(_LETTERS.get(sign) or _plain(sign) for sign in signs), error.end


def _plain(sign: str) -> str:
    """Return a letter without its accents; ``?`` for what has no other form."""
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


class _Pipe(io.FileIO):
    """Writes on to nowhere once its reader has gone, as in ``porting check | head``: the exit code is the check's."""

    gone = False

    def write(self, data: Any, /) -> int:
        """Write, or drop what nobody reads."""
        try:
            return super().write(data)
        except BrokenPipeError:
            _Pipe.gone = True
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return len(data)


def outlive_readers() -> None:
    """Let both streams outlive their readers; for a program, which owns its streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        own = getattr(stream, "buffer", None)
        if not isinstance(stream, io.TextIOWrapper) or not isinstance(getattr(own, "raw", own), io.FileIO):
            continue  # it is closed, not Python's own, or a console of Windows
        stream.flush()
        raw = _Pipe(stream.fileno(), "w", closefd=False)
        patient = io.TextIOWrapper(
            raw if isinstance(stream.buffer, io.RawIOBase) else io.BufferedWriter(raw), stream.encoding, stream.errors,
            line_buffering=stream.line_buffering, write_through=stream.write_through,
        )  # fmt: skip
        setattr(sys, name, patient)


def reader_is_gone() -> bool:
    """Whether somebody who read what is written has gone."""
    return _Pipe.gone


@contextmanager
def apart(files: Mapping[str, Any]) -> Iterator[None]:
    """Have what people read written to stderr while a document is asked for on standard output.

    Parameters
    ----------
    files : mapping of str to path
        The options that name a file to write.
    """
    there = [option for option, path in files.items() if path == STANDARD]
    if len(there) > 1:
        raise OutputError(f"{' and '.join(there)}: one document fits on standard output; give one of them a file")
    if not there:
        yield
        return
    sys.stdout.flush()
    with redirect_stdout(sys.stderr):
        yield
