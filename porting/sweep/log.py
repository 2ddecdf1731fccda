"""The log of a sweep, one line of JSON for each chunk: a sweep that was ended in any way goes on from it."""

import json
import os
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import IO, Any, Final, Self

from porting.errors import PortingError
from porting.sweep.work import Done

_FORM: Final = 1


class LogError(PortingError, ValueError):
    """A log cannot be written, is damaged, or is of another sweep."""


class Log:
    """A log that is appended to, and what it holds already.

    Attributes
    ----------
    done : set of int
        The numbers of the chunks that it had when it was opened.
    """

    def __init__(self, path: Path, stream: IO[bytes], done: AbstractSet[int]) -> None:
        self.path, self.done, self._stream = path, done, stream

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def append(self, number: int, done: Done) -> None:
        """Write one chunk, in one piece: if the process is killed, at most the last line is cut.

        Raises
        ------
        LogError
            If it cannot be written.
        """
        line = f'{{"chunk": {number}, "where": {json.dumps(done.where)}, "reports": [{", ".join(done.reports)}]}}\n'
        try:
            self._stream.write(line.encode())
            self._stream.flush()
        except OSError as error:
            raise LogError(f"--log {self.path}: cannot be written: {error.strerror or error}") from None


def begun(path: Path, header: Mapping[str, Any]) -> Log:
    """Begin a log.

    Raises
    ------
    LogError
        If there is a file already, or it cannot be made.
    """
    try:
        stream = path.open("xb")
        stream.write(json.dumps({"log": _FORM, **header}).encode() + b"\n")
        stream.flush()
    except FileExistsError:
        raise LogError(f"--log {path}: is there already; --resume goes on with it, or name another file") from None
    except OSError as error:
        raise LogError(f"--log {path}: cannot be written: {error.strerror or error}") from None
    return Log(path, stream, frozenset())


def resumed(path: Path, header: Mapping[str, Any], *, any_version: bool = False) -> Iterator[Log | Done]:
    """Yield each chunk that a log holds, then the log itself; a last line that is cut is dropped.

    Raises
    ------
    LogError
        If there is none, a line before the last one is damaged, or it is of another sweep or of other versions.
    """
    if not path.is_file():
        raise LogError(f"--resume: there is no log {path}; leave --resume out to begin one")
    done: set[int] = set()
    end = 0
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                break
            content = _read(path, number, line)
            if number == 1:
                _ensure_same(path, content, header, any_version=any_version)
            elif content["chunk"] not in done:
                done.add(content["chunk"])
                yield Done([json.dumps(report) for report in content["reports"]], content["where"])
            end += len(line)
    if not end:
        raise LogError(f"--log {path}: is empty; remove it, and leave --resume out")
    os.truncate(path, end)
    yield Log(path, path.open("ab"), done)


def _read(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line)
        if isinstance(content, dict) and (number == 1 or {"chunk", "where", "reports"} <= set(content)):
            return content
    except ValueError:
        pass
    raise LogError(f"--log {path}: line {number} is damaged; mend or remove that line, its chunk is then done again")


def _ensure_same(path: Path, found: Mapping[str, Any], header: Mapping[str, Any], *, any_version: bool) -> None:
    if found.get("log") != _FORM:
        raise LogError(f"--log {path}: is no log of porting check --seeds")
    if found.get("plan") != header["plan"]:
        was = found.get("what", "another sweep")
        raise LogError(f"--log {path}: is of {was}, not of {header['what']}; repeat that command, or name another file")
    if found.get("environment") != header["environment"] and not any_version:
        then, now = (", ".join(f"{k} {v}" for k, v in h["environment"].items()) for h in (found, header))
        raise LogError(f"--log {path}: was made with {then}, here are {now}; --any-version goes on all the same")
