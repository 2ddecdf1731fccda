"""The lines of source at which something was found, kept with the report: it may be read where the files are not."""

import linecache
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from porting.parity.finding import Finding, Result

_LONGEST: Final = 200  # letters of a line


def place_of(result: Result, finding: Finding) -> str:
    """Return where a finding points to: the line that raised, else the implementation."""
    return str(finding.fields.get("where") or result.where)


def excerpts(results: Iterable[Result]) -> dict[str, tuple[str, ...]]:
    """Return each line that a finding points to, with the line before, if there is one, and the line after.

    Parameters
    ----------
    results : iterable of Result
        All of them; those that found nothing have no place.
    """
    linecache.checkcache()  # a watch sees files change
    places = dict.fromkeys(place_of(result, finding) for result in results for finding in result.findings)
    return {place: lines for place in places if (lines := _lines(place))}


def number_of(place: str) -> int:
    """Return the line of a place, ``path:line``; 0 if it has none."""
    line = place.rpartition(":")[2]
    return int(line) if line.isdecimal() else 0


def _lines(place: str) -> tuple[str, ...]:
    """Return three lines of a file; fewer at its ends, none if it cannot be read."""
    file, number = place.rpartition(":")[0], number_of(place)
    if not (file in linecache.cache or Path(file).is_file()):  # it would look for one of this name elsewhere
        return ()
    lines = linecache.getlines(file)
    if not 0 < number <= len(lines):
        return ()
    return tuple(line.rstrip()[:_LONGEST] for line in lines[max(0, number - 2) : number + 1])
