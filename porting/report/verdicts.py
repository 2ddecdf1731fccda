"""The verdict table: one row for each op, one column for each runner, one mark for each type. No mark is ever cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from porting import tables
from porting.backends import TITLES
from porting.dtypes import FLOATS
from porting.parity.finding import Result
from porting.parity.report import Report
from porting.report.cells import home, worst
from porting.report.marks import ACCEPTED, AGREES, DIFFERS, NOTHING, UNDECIDED, mark, shortened

MARKS: Final = {
    "differ": (DIFFERS, "bold red"),
    "no verdict": (UNDECIDED, "yellow"),
    "known": (ACCEPTED, "yellow"),
    "note": (AGREES, "green"),
    "agree": (AGREES, "green"),
}
OTHER: Final = (NOTHING, "dim")
_MEANT: Final = {
    AGREES: "agrees", ACCEPTED: "accepted difference", DIFFERS: "differs", UNDECIDED: "no verdict",
}  # fmt: skip
_WIDE: Final = 10_000  # columns: more than any table has
_NAME, _KIND = 8, 6  # characters: fewer say nothing


@dataclass(frozen=True)
class Verdicts:
    """The table of a report and the meaning of its marks, as wide as the terminal is.

    Where it is too narrow, first the column on the gradient is shortened, or left out, then the names.

    Attributes
    ----------
    report : Report
        What was found.
    title : str
        Above the table.
    """

    report: Report
    title: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the meaning of its marks, see rich's protocol."""
        letters = options.ascii_only
        without_names = console.measure(self._table(0, 1, letters=letters), options=options.update_width(_WIDE))
        room = options.max_width - without_names.maximum + 1
        name, kind = self._widths(room)
        yield self._table(name, kind, letters=letters)
        yield legend(self.report, letters=letters)

    def _widths(self, room: int) -> tuple[int, int]:
        """Return the widths of the names and of what is said of the gradients: 0 if that is left out."""
        rows = self._rows()
        name = max((len(text) for family, label, _ in rows for text in (family, label)), default=0)
        kind = max(len("gradient"), *(len(said) for _, _, said in rows), 0)
        if room - name >= _KIND:
            return name, min(kind, room - name)
        return max(_NAME, min(name, room)), 0

    def _rows(self) -> list[tuple[str, str, str]]:
        """Return family, name and what the gradient is, of each op; the names are indented below their family."""
        named = dict.fromkeys(r.op for r in self.report.results)
        return [(family, f"  {op}", kind) for op in named for family, kind in [home(op, self.report)]]

    def _table(self, name: int, kind: int, *, letters: bool) -> Table:
        results = self.report.results
        runners = list(dict.fromkeys(r.runner for r in results))
        dtypes = _dtypes(self.report)
        made = tables.table(self.title)
        made.add_column("op", no_wrap=True, max_width=name)
        if kind:
            made.add_column(shortened("gradient", kind, letters=letters), no_wrap=True, max_width=kind)
        marks = len(dtypes) * (3 if letters else 2) - 1
        for runner in runners:
            title = TITLES.get(runner, runner)
            made.add_column(title, no_wrap=True, min_width=max(marks, len(title)))
        cells: dict[tuple[str, str, str], list[Result]] = {}
        for r in results:
            cells.setdefault((r.op, r.runner, r.dtype), []).append(r)
        above = ""
        for family, label, said in self._rows():
            if family != above:
                above = family
                made.add_section()
                made.add_row(Text(shortened(family, name, letters=letters), style="bold"))
            op = label.strip()
            of_runners = ([cells.get((op, runner, dtype), []) for dtype in dtypes] for runner in runners)
            cut = self.report.interrupted
            marked = (_marked(several, letters=letters, cut=cut) for several in of_runners)
            short = shortened(label, name, letters=letters), shortened(said, kind, letters=letters)
            made.add_row(Text(short[0]), *([Text(short[1], style="dim")] if kind else []), *marked)
        return made


def legend(report: Report, *, letters: bool = False) -> str:
    """Return the meaning of the marks that occur, and which dtype each mark stands for."""
    dtypes = _dtypes(report)
    cells: dict[tuple[str, str, str], list[Result]] = {}
    for r in report.results:
        cells.setdefault((r.op, r.runner, r.dtype), []).append(r)
    shown = {_mark_of(cell, cut=report.interrupted)[0] for cell in cells.values()}
    marks = "   ".join(f"{mark(s, letters=letters).strip()} {meant}" for s, meant in _MEANT.items() if s in shown)
    return f"{marks}\none mark per dtype: {' '.join(dtypes)}" if len(dtypes) > 1 else f"{marks}   in {' '.join(dtypes)}"


def _dtypes(report: Report) -> list[str]:
    return [dtype for dtype in FLOATS if any(r.dtype == dtype for r in report.results)]


def _marked(cells: Sequence[Sequence[Result]], *, letters: bool, cut: bool) -> Text:
    parts = [_mark_of(cell, cut=cut) for cell in cells]
    return Text(" ").join(Text(mark(sign, letters=letters), style) for sign, style in parts)


def _mark_of(results: Sequence[Result], *, cut: bool) -> tuple[str, str]:
    return MARKS.get(worst(results, cut=cut), OTHER)
