"""Saved runs: numbered files under a folder of the user's choice, several for each name."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from porting.errors import PortingError
from porting.files import ensure_writable, write

STORAGE: Final = Path(".porting")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_NUMBERED: Final = "{name}-{number:04d}.json"


class HistoryError(PortingError, ValueError):
    """A saved run is not there, or is no such run."""


@dataclass(frozen=True)
class Saved:
    """A run as it was saved.

    Attributes
    ----------
    title : str
        What it is called, and when it was made: ``base-0002 of 2026-11-26 16:50``.
    text : str
        The report of the run, as JSON.
    """

    title: str
    text: str


def latest(storage: Path, kind: str, name: str) -> Saved:
    """Return the run that was saved last under a name.

    Parameters
    ----------
    storage : pathlib.Path
        The folder of saved runs.
    kind : str
        The command that made it: ``check`` or ``bench``.
    name : str
        What it was saved as: a name, or one with its number (``base-0002``).

    Raises
    ------
    HistoryError
        If there is none of this name, or the file is damaged.
    """
    _ensure_name(name, "--compare")
    files = _numbered(storage / kind, name) or [file for file in [storage / kind / f"{name}.json"] if file.is_file()]
    if not files:
        names = sorted({file.stem.rpartition("-")[0] for file in (storage / kind).glob("*-[0-9]*.json")})
        there = f"there are {', '.join(names)}" if names else f"nothing is saved there; --save {name} saves a run"
        raise HistoryError(f"--compare {name}: no such run in {storage / kind}: {there}")
    try:
        content = json.loads(files[-1].read_text(encoding="utf-8"))
        return Saved(f"{files[-1].stem} of {content['saved']}", json.dumps(content["report"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HistoryError(
            f"--compare {name}: {files[-1]} is no saved run ({error}); remove it, or name another"
        ) from None


def ensure_savable(storage: Path, kind: str, name: str) -> None:
    """Make the folder, and refuse a name or a folder that a run could not be saved under later.

    Raises
    ------
    HistoryError
        If the name cannot be one of a file, or the folder cannot be made.
    OutputError
        If the folder refuses new files.
    """
    _ensure_name(name, "--save")
    try:
        (storage / kind).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HistoryError(f"--storage {storage}: the folder cannot be made: {error.strerror or error}") from None
    ensure_writable(_next(storage / kind, name), "--save")


def save(storage: Path, kind: str, name: str, text: str) -> Path:
    """Save the JSON of a run under the next number of a name, and return the file; none is written over.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    file = _next(storage / kind, name)
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    write(file, f'{{"saved": "{when}", "report": {text.strip()}}}\n', "--save")
    return file


def _ensure_name(name: str, option: str) -> None:
    if not _NAME.fullmatch(name):
        raise HistoryError(
            f"{option} {name}: a name of letters, digits, '.', '-' and '_' is wanted, as in {option} base"
        )


def _numbered(folder: Path, name: str) -> list[Path]:
    """Return the runs of a name, the first one first."""
    own = re.compile(re.escape(name) + r"-(\d{4,})\.json")
    there = [(own.fullmatch(file.name), file) for file in folder.glob(f"{name}-*.json")]
    return [file for _, file in sorted((int(match[1]), file) for match, file in there if match)]


def _next(folder: Path, name: str) -> Path:
    files = _numbered(folder, name)
    number = 1 + (int(files[-1].stem.rpartition("-")[2]) if files else 0)
    return folder / _NUMBERED.format(name=name, number=number)
