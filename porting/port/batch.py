"""Translates all gradients of a run, one after the other, counts the results, and writes them as JSON."""

import functools
import json
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from porting import __version__
from porting.port.discover import NothingError, Unit, files_of, units_of
from porting.port.one import Port, port
from porting.port.options import Checking
from porting.translate.dialects import FRAMEWORKS
from porting.translate.read.source import SourceError

SCHEMA: Final = 1
EXIT_DONE, EXIT_LEFT, EXIT_INTERRUPTED = 0, 1, 130


@dataclass(frozen=True)
class Ports:
    """The results for all gradients of a run.

    Attributes
    ----------
    to : {"torch", "tf", "numpy"}
        The framework of the translations.
    ports : tuple of Port
        In the order of the files.
    total : int
        How many there are to translate; there are fewer `ports` if the run was interrupted.
    unread : tuple of str
        Files that cannot be read, with the reason.
    checked : bool
        Whether the translations were meant to be checked.
    interrupted : bool
        The run was stopped; the results are partial.
    environment : dict of str to str
        Versions.
    """

    to: str
    ports: tuple[Port, ...]
    total: int
    unread: tuple[str, ...] = ()
    checked: bool = True
    interrupted: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Counter[str]:
        """How many gradients have each status."""
        return Counter(done.status for done in self.ports)

    def is_good(self, done: Port) -> bool:
        """Whether the result for a gradient is what was asked for."""
        translated = done.status == "not proven" and not done.refused and not self.checked
        return (done.status == "proven" or translated) and done.came_back

    @property
    def exit_code(self) -> int:
        """0 all proven, or translated where nothing was to be checked; 1 some not; 130 interrupted."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        good = all(self.is_good(done) for done in self.ports) and not self.unread
        return EXIT_DONE if good else EXIT_LEFT

    @property
    def summary(self) -> str:
        """One line with the totals."""
        counts = self.counts
        translated = len(self.ports) - counts["refused"]
        parts = [f"{translated} of {self.total} gradient{'s' * (self.total != 1)} translated"]
        named = [("proven", "proven"), ("not proven", "not proven"), ("different", "different and not handed over")]
        parts += [f"{counts[status]} {title}" for status, title in named if counts[status]]
        parts += [f"{counts['refused']} refused"] if counts["refused"] else []
        calls = sum(done.calls for done in self.ports)
        refused = sum(len(done.refused) for done in self.ports)
        left = sum(done.calls for done in self.ports if not done.text) if refused else 0
        line = f"{', '.join(parts)}; {calls - left} of {calls} calls are in translated gradients"
        line += f"; {len(self.unread)} file{'s' * (len(self.unread) != 1)} not read" if self.unread else ""
        return f"interrupted: {line}" if self.interrupted else line

    def to_json(self) -> str:
        """Return everything as JSON text."""
        gradients = [
            {**asdict(done), "refused": [{"line": line, "why": why} for line, why in done.refused]}
            for done in self.ports
        ]
        content: dict[str, Any] = {
            "schema": SCHEMA, "to": self.to, "environment": self.environment, "gradients": gradients,
            "unread": self.unread, "counts": {**self.counts, "total": self.total}, "summary": self.summary,
            "checked": self.checked, "interrupted": self.interrupted, "exit_code": self.exit_code,
        }  # fmt: skip
        return json.dumps(content, indent=1)


def find(folder: Path, to: str, leave: Path | None = None) -> tuple[list[Unit], list[str]]:
    """Return the gradients of a folder, and messages about files that cannot be read.

    Parameters
    ----------
    folder : pathlib.Path
        Where to look, at any depth.
    to : {"torch", "tf", "numpy"}
        What to translate to; gradients in that framework are left out.
    leave : pathlib.Path, optional
        A folder in it to leave out.

    Raises
    ------
    SourceError
        If there is nothing to translate.
    """
    units: list[Unit] = []
    unread: list[str] = []
    files = files_of(folder, leave)
    for path in files:
        found, why = _found(path, to)
        units += found
        unread += [why] if why else []
    if not units and not unread:
        raise SourceError(f"{folder}: no custom gradient that could go to {to} is defined in its files")
    return units, unread


def _found(path: Path, to: str) -> tuple[list[Unit], str]:
    try:
        return units_of(path, "", to), ""
    except NothingError:
        return [], ""
    except SourceError as error:
        return [], str(error)


def port_all(
    units: Sequence[Unit], unread: Iterable[str] = (), *, check: bool | None = None,
    how: Checking | Sequence[Checking] | None = None, partial: bool = False, round_trip: bool = False,
    on_start: Callable[[int], None] | None = None,
    on_port: Callable[[Port], None] | None = None,
    on_check: Callable[[Unit, int, int], None] | None = None,
) -> Ports:  # fmt: skip
    """Translate gradients, and check each translation.

    Parameters
    ----------
    units : sequence of Unit
        What to translate; at least one.
    unread : iterable of str
        Messages about files that cannot be read.
    check, partial, round_trip
        As for `porting.port.one.port`.
    how : Checking, or sequence of Checking, optional
        What to check with, all or each.
    on_start, on_port : callable, optional
        Called with the number of gradients, then with each result.
    on_check : callable, optional
        Called after each check of a gradient with how many are done, and of how many.

    Returns
    -------
    Ports
        An interrupt (Ctrl-C) leaves what was done so far.
    """
    if on_start:
        on_start(len(units))
    done: list[Port] = []
    to = units[0].to if units else ""
    checked = check is not False and to != "numpy"
    environment = _environment(checked)  # now: an interrupt may leave an import half done
    interrupted = False
    try:
        for unit, mine in zip(units, how if isinstance(how, Sequence) else repeat(how), strict=False):
            told = replace(mine or Checking(), on_check=functools.partial(on_check, unit) if on_check else None)
            done.append(port(unit, check=check, how=told, partial=partial, round_trip=round_trip))
            if on_port:
                on_port(done[-1])
            if done[-1].interrupted:
                interrupted = True
                break
    except KeyboardInterrupt:
        interrupted = True
    return Ports(to, tuple(done), len(units), tuple(unread), checked, interrupted, environment)


def _environment(checked: bool) -> dict[str, str]:
    """Return the versions; those of the frameworks if they had a part in it."""
    here = {"porting": __version__, "python": platform.python_version()}
    if not checked:
        return here
    from porting.runners import RUNNERS

    found = {key: RUNNERS[key].version() for key in FRAMEWORKS if RUNNERS[key].missing() is None}
    return {**here, **found}
