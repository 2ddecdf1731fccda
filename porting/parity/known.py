"""Accepted disagreements: one strict TOML file, each entry with its reason, a link and an expiry."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from porting.backends import BACKENDS
from porting.errors import PortingError
from porting.parity.checks import checks
from porting.parity.codes import CODES
from porting.parity.finding import Result
from porting.runners import RUNNERS

CATALOGUE: Final = Path(__file__).parent.parent / "known_differences.toml"


class KnownDifferencesError(PortingError, ValueError):
    """The file cannot be used; the message names the entry and what it lacks."""


@dataclass(frozen=True)
class KnownDifference:
    """One entry: this op differs in this check on this runner, and that is accepted until the expiry, for a reason.

    An entry whose check is a mode (``xla``, ``export``) holds for whatever is compared in that mode. One with `codes`
    accepts only findings of these kinds (`porting.parity.codes`). One with `sometimes` depends on the numbers that are
    drawn: where nothing differs it is not dead. In the file `op` and `check` may be lists: an entry for each of them.
    """

    op: str
    check: str
    runner: str
    reason: str
    link: str
    expiry: date | None
    codes: tuple[str, ...] = ()
    sometimes: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What the entry applies to."""
        return self.op, self.check, self.runner

    @property
    def expired(self) -> str:
        """What is said of an entry past its expiry, which accepts nothing."""
        return f"known difference {' '.join(self.key)} expired on {self.expiry}"

    @property
    def dead(self) -> str:
        """What is said of an entry that matches nothing."""
        return f"known difference {' '.join(self.key)} is dead: nothing differs there any more; delete the entry"

    def is_expired(self, today: date | None = None) -> bool:
        """Whether it accepts nothing any more."""
        return self.expiry is not None and self.expiry < (today or datetime.now(UTC).date())

    def accepts(self, result: Result) -> bool:
        """Whether all that was found is of the accepted kinds."""
        return not self.codes or all(finding.code in self.codes for finding in result.findings)


def load(path: Path = CATALOGUE) -> tuple[KnownDifference, ...]:
    """Read the file.

    Raises
    ------
    KnownDifferencesError
        If it is not there, no TOML, or an entry lacks a key, has another one, or stands there twice.
    """
    try:
        return _read(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KnownDifferencesError(f"{path}: {error}") from error


@lru_cache(maxsize=8)
def _read(text: str, path: Path) -> tuple[KnownDifference, ...]:
    content = tomllib.loads(text)
    if set(content) - {"difference"}:
        raise KnownDifferencesError(f"{path}: only [[difference]] tables are wanted, found {', '.join(content)}")
    found = enumerate(content.get("difference", []), 1)
    entries = tuple(entry for n, raw in found for entry in _entries(raw, f"{path}: entry {n}"))
    seen: set[tuple[str, str, str]] = set()
    for entry in entries:
        if entry.key in seen:
            raise KnownDifferencesError(f"{path}: two entries for {' '.join(entry.key)}")
        seen.add(entry.key)
    return entries


def ensure_readable(own: Path | str | None) -> None:
    """Refuse the user's file, if there is one, where it cannot be used; for errors see `load`."""
    if own is not None:
        load(Path(own))


def accepted(foreign: Iterable[str], own: Path | str | None) -> list[KnownDifference]:
    """Return the accepted differences: the catalogue's and the user's, which come before.

    Those of the catalogue are of its own ops, not of their namesakes, the `foreign` ops.
    """
    theirs = list(load(Path(own))) if own is not None else []
    names, taken = set(foreign), {entry.key for entry in theirs}
    return [*(entry for entry in load() if entry.op not in names and entry.key not in taken), *theirs]


def apply(
    known: Iterable[KnownDifference], results: Iterable[Result], today: date | None = None, *, whole: bool = True
) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """Turn accepted differences into ``known``, and say which entries are dead or expired.

    Parameters
    ----------
    known, results : iterable
        The entries, and what was found.
    today : date, optional
        What expiries are compared with.
    whole : bool
        Whether the results are of all floating types: an entry that matches nothing in some may match in others.

    Returns
    -------
    tuple of Result, tuple of str
        The results, and one line for each entry that was tried and matched nothing, or is past its expiry (such an
        entry accepts nothing).
    """
    entries = {entry.key: entry for entry in known}
    expired = {key for key, entry in entries.items() if entry.is_expired(today)}
    judged: list[Result] = []
    tried: set[tuple[str, str, str]] = set()
    matched: set[tuple[str, str, str]] = set()
    for result in results:
        key = result.op, result.check, result.runner
        tried.add(key)
        if key not in entries:
            key = result.op, result.mode, result.runner
        if key in entries and result.found:
            matched.add(key)
            if key not in expired and entries[key].accepts(result):
                result = replace(result, status="known", note=entries[key].reason)  # noqa: PLW2901 - the result, judged
        judged.append(result)
    problems = [entries[key].expired for key in sorted(expired & (tried | matched))]
    alive = matched | {key for key, entry in entries.items() if entry.sometimes}
    problems += [entries[key].dead for key in sorted(entries) if whole and key in tried and key not in alive]
    return tuple(judged), tuple(problems)


def _entries(raw: Any, label: str) -> list[KnownDifference]:
    """Return the entries of a table: one for each of its ops and checks."""
    optional = {"codes", "sometimes"}
    wanted = [f.name for f in fields(KnownDifference) if f.name not in optional]
    if not isinstance(raw, dict) or set(raw) - optional != set(wanted):
        raise KnownDifferencesError(f"{label} must have exactly the keys {', '.join(wanted)}; it has {', '.join(raw)}")
    lists = {name: raw[name] if isinstance(raw[name], list) else [raw[name]] for name in ("op", "check")}
    if not all(lists.values()):
        raise KnownDifferencesError(f"{label}: a list of ops or checks must not be empty")
    return [_entry({**raw, "op": op, "check": check}, label) for op in lists["op"] for check in lists["check"]]


def _entry(raw: dict[str, Any], label: str) -> KnownDifference:
    for name in ("op", "check", "runner", "reason", "link"):
        if not isinstance(raw[name], str) or not raw[name].strip():
            raise KnownDifferencesError(f"{label}: {name} must be a text that is not empty, got {raw[name]!r}")
    modes = dict.fromkeys(mode for backend in BACKENDS.values() for mode in backend.modes)
    for name, choices in (("check", tuple({**checks(), **modes})), ("runner", tuple(RUNNERS))):
        if raw[name] not in choices:
            raise KnownDifferencesError(f"{label}: no {name} is called {raw[name]!r}; there are: {', '.join(choices)}")
    expiry = raw["expiry"]
    if expiry != "never" and (not isinstance(expiry, date) or isinstance(expiry, datetime)):
        raise KnownDifferencesError(f'{label}: expiry must be a date such as 2027-06-30, or "never", got {expiry!r}')
    codes = raw.get("codes", [])
    if not isinstance(codes, list) or not set(map(str, codes)) <= set(CODES):
        raise KnownDifferencesError(f"{label}: codes must be a list of these: {', '.join(CODES)}; got {codes!r}")
    if not isinstance(raw.get("sometimes", False), bool):
        raise KnownDifferencesError(f"{label}: sometimes must be true or false, got {raw['sometimes']!r}")
    return KnownDifference(**{**raw, "codes": tuple(codes), "expiry": None if expiry == "never" else expiry})
