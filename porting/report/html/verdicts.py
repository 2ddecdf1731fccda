"""What a report shows at a glance: the verdict of an op on a side in a type, and of each check of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from porting.dtypes import FLOATS
from porting.parity.finding import Result, Side
from porting.parity.report import Report
from porting.report.cells import home, side_title, worst
from porting.report.html.ids import Ids

# Of each status the mark, and the words that stand with it; the worst first.
MARKS: Final = {
    "differ": ("✗", "differs"),
    "no verdict": ("?", "no verdict"),
    "known": ("≈", "accepted difference"),
    "note": ("✓ⁿ", "agrees, with a note"),
    "agree": ("✓", "agrees"),
    "waived": ("✓ʷ", "waived, and the waiver holds"),
    "not applicable": ("·", "not applicable"),
    "": ("", "not asked"),
}
_IDLE: Final = "not applicable"
_LONGEST: Final = 400  # letters of a reason: an exception may hold whole arrays


@dataclass(frozen=True)
class Column:
    """A side of the matrix: who was asked, and in which types."""

    title: str
    place: tuple[str, str, str]  # runner, device, mode
    dtypes: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many columns of the matrix are its own."""
        return len(self.dtypes)


@dataclass(frozen=True)
class Cell:
    """A verdict: its status, the id of what was found, if there is such, and whether it is the first of its side."""

    status: str
    link: str
    first: bool


@dataclass(frozen=True)
class Row:
    """An op in the matrix, with the id of its checks."""

    op: str
    id: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Said:
    """What a check came to, on all sides for which it is the same: on `span` columns that stand together."""

    lines: tuple[tuple[str, str, str], ...]  # status, types if not all, reason
    span: int = 1


@dataclass(frozen=True)
class Checked:
    """An op with its checks, as names with ids: a row for those that came to the same, the worst first.

    `idle` are those that apply on no side, by their reasons.
    """

    op: str
    id: str
    about: str
    status: str
    counts: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[tuple[tuple[str, str], ...], tuple[Said, ...]], ...]
    idle: tuple[tuple[tuple[tuple[str, str], ...], str], ...]


def columns(results: Iterable[Result]) -> tuple[Column, ...]:
    """Return the sides, with the types in which they were asked."""
    found: dict[tuple[str, str, str], set[str]] = {}
    for r in results:
        found.setdefault((r.runner, r.device, r.mode), set()).add(r.dtype)
    return tuple(
        Column(side_title(*place), place, tuple(d for d in FLOATS if d in dtypes)) for place, dtypes in found.items()
    )


def matrix(report: Report, sides: Sequence[Column], ids: Ids, links: dict[Side, str]) -> dict[str, list[Row]]:
    """Return a row for each op, by families.

    Parameters
    ----------
    report : Report
        What was found.
    sides : sequence of Column
        The columns.
    ids : Ids
        Gives the id of an op.
    links : dict
        Of each side the id of its first finding, if it has one.
    """
    by_op: dict[str, dict[tuple[str, str, str, str], list[Result]]] = {}
    for r in report.results:
        by_op.setdefault(r.op, {}).setdefault((r.runner, r.device, r.mode, r.dtype), []).append(r)
    families: dict[str, list[Row]] = {}
    for op, found in by_op.items():
        cells = []
        for side in sides:
            for dtype in side.dtypes:
                status = worst(found.get((*side.place, dtype), ()), cut=report.interrupted)
                link = links.get((op, *side.place), "") if status in {"differ", "note"} else ""
                cells.append(Cell(status, link, dtype == side.dtypes[0]))
        families.setdefault(home(op, report)[0], []).append(Row(op, ids.of(op), tuple(cells)))
    return families


def checked(report: Report, ids: Ids) -> Iterator[Checked]:
    """Yield each op with its checks."""
    for op in dict.fromkeys(r.op for r in report.results):
        mine = [r for r in report.results if r.op == op]
        sides = columns(mine)
        rows: dict[tuple[Said, ...], list[tuple[str, str]]] = {}
        idle: dict[str, list[tuple[str, str]]] = {}
        for check in dict.fromkeys(r.check for r in mine):
            some, named = [r for r in mine if r.check == check], (check, ids.of(op, check))
            if all(r.status == _IDLE for r in some):
                idle.setdefault("; ".join(dict.fromkeys(_reason(r.note) for r in some)), []).append(named)
            else:
                rows.setdefault(_joined(_said(some, side) for side in sides), []).append(named)
        family, kind = home(op, report)
        counts = Counter(r.status for r in mine)
        told = ", ".join(f"{counts[status]} {status}" for status in MARKS if counts[status])
        about = f"{family}{f', gradient {kind}' if kind else ''}"
        worst_first = sorted(
            rows.items(), key=lambda row: min(_rank(line[0]) for said in row[0] for line in said.lines)
        )
        yield Checked(
            op, ids.of(op), about, worst(mine), told, sides,
            tuple((tuple(checks), said) for said, checks in worst_first),
            tuple((tuple(checks), why) for why, checks in idle.items()),
        )  # fmt: skip


def _rank(status: str) -> int:
    return list(MARKS).index(status)


def _said(results: Iterable[Result], side: Column) -> Said:
    mine = [r for r in results if (r.runner, r.device, r.mode) == side.place]
    if not mine:
        return Said((("", "", ""),))
    found: dict[tuple[str, str], list[str]] = {}
    for r in mine:
        found.setdefault((r.status, "" if r.status == "agree" else _reason(r.note)), []).append(r.dtype)
    alike = len(found) == 1
    return Said(tuple((status, "" if alike else " ".join(dtypes), why) for (status, why), dtypes in found.items()))


def _joined(said: Iterable[Said]) -> tuple[Said, ...]:
    """Return what stands beside its like as one."""
    return tuple(Said(lines, len(list(some))) for lines, some in groupby(said, key=lambda s: s.lines))


def _reason(note: str) -> str:
    """Return a note without the numbers of one type, and not too long."""
    said = note.partition(": vjp(")[0]
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} …"
