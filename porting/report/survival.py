"""Writes the matrix of `porting survive` for the terminal: marks, and what was seen, with the way round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from porting import tables
from porting.backends import BACKENDS
from porting.registry import ops
from porting.report.marks import ACCEPTED, AGREES, DIFFERS, NOTHING, mark, shortened
from porting.survive.cell import Cell
from porting.survive.matrix import Matrix

_MARKS: Final = {
    "kept": (AGREES, "green"),
    "lost silently": (DIFFERS, "bold red"),
    "refused": ("!", "yellow"),
    "not applicable": (NOTHING, "dim"),
}
_ACCEPTED: Final = (ACCEPTED, "yellow")
_NAME: Final = 24  # characters of an op's name: where the terminal is narrow, the modes go into several tables first
_LETTERS: Final = ascii_lowercase + ascii_uppercase
_FEW: Final = 3  # ops: each cell then has a line of its own


def tables_of(matrix: Matrix) -> Iterator["Table | Marks"]:
    """Yield one table for each framework, with the meaning of its columns and marks."""
    for key in dict.fromkeys(cell.runner for cell in matrix.cells):
        cells = [cell for cell in matrix.cells if cell.runner == key]
        few = len({cell.op for cell in cells}) <= _FEW
        yield _lines(key, cells) if few else Marks(key, cells)


@dataclass(frozen=True)
class Marks:
    """The cells of one framework, one mark each; no mark is cut: what does not fit beside the names stands below.

    Attributes
    ----------
    key : str
        The framework.
    cells : sequence of Cell
        Of some ops in some modes.
    """

    key: str
    cells: Sequence[Cell]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield as many tables as it takes, and the meaning of letters and marks, see rich's protocol."""
        letters = options.ascii_only
        names = list(dict.fromkeys(cell.op for cell in self.cells))
        modes = list(zip(_LETTERS, dict.fromkeys(cell.mode for cell in self.cells), strict=False))
        longest = max(map(len, names)) + 2  # indented below their family
        column = 4 if letters else 3  # with what is between two of them
        fitting = max((options.max_width - min(longest, _NAME) - 3) // column, 1)
        for first in range(0, len(modes), fitting):
            part = modes[first : first + fitting]
            yield self._table(part, names, options.max_width - len(part) * column - 3, letters=letters)
        yield Text("   ".join(f"{letter} {mode}" for letter, mode in modes))
        meant = [(sign, fate) for fate, (sign, _) in _MARKS.items()] + [(ACCEPTED, "accepted loss")]
        yield Text("   ".join(f"{mark(sign, letters=letters).strip()} {fate}" for sign, fate in meant) + "\n")

    def _table(self, modes: Sequence[tuple[str, str]], names: Sequence[str], room: int, *, letters: bool) -> Table:
        table = tables.table(f"{BACKENDS[self.key].title}: where the gradient of eager mode survives")
        table.add_column("op", no_wrap=True, max_width=max(room, 1))
        for letter, _ in modes:
            table.add_column(letter, no_wrap=True, min_width=2 if letters else 1)
        found = {(cell.op, cell.mode): cell for cell in self.cells}
        known, family = ops(), ""
        for name in names:
            own = known[name].family if name in known else "your own"
            if own != family:
                family = own
                table.add_section()
                table.add_row(f"[bold]{escape(own)}[/]")
            table.add_row(
                Text(shortened(f"  {name}", max(room, 1), letters=letters)),
                *(_marked(found.get((name, mode)), letters=letters) for _, mode in modes),
            )
        return table


def _marked(cell: Cell | None, *, letters: bool) -> Text:
    if cell is None:
        return Text("")
    sign, style = _ACCEPTED if cell.accepted else _MARKS[cell.fate]
    return Text(mark(sign, letters=letters), style=style)


def _lines(key: str, cells: Sequence[Cell]) -> Table:
    table = tables.table(f"{BACKENDS[key].title}: where the gradient of eager mode survives")
    many = len({cell.op for cell in cells}) > 1
    for column in [*(["op"] if many else []), "mode", "", "seen"]:
        table.add_column(column, no_wrap=column != "seen", overflow="fold")
    for cell in cells:
        sign, style = _MARKS[cell.fate]
        fate = Text(f"{sign} {cell.fate}", style=style)
        table.add_row(*([cell.op] if many else []), cell.mode, fate, Text(seen(cell)))
    return table


def seen(cell: Cell) -> str:
    """Return what was seen in a cell, in one line; nothing if the gradient is kept."""
    if cell.fate == "kept":
        return ""
    place = f" ({cell.where})" if cell.where and cell.fate == "refused" else ""
    if cell.message:
        return f"{cell.name}: {cell.message}{place}" if cell.name else f"{cell.message}{place}"
    got = "no gradient" if cell.got is None else f"{cell.got:.6g}"
    return f"{cell.name}: {got}, eager mode gives {cell.want:.6g}"


def findings(matrix: Matrix) -> Iterator[str]:
    """Yield what is lost or refused: one block for each mode, with the ops, what was seen first, and the way round."""
    places: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in matrix.cells:
        if cell.fate in {"lost silently", "refused"}:
            fate = "accepted" if cell.accepted else str(cell.fate)
            places.setdefault((cell.runner, cell.mode, fate), []).append(cell)
    for (key, name, fate), cells in places.items():
        mode = BACKENDS[key].modes[name]
        yield f"{BACKENDS[key].title} {name}: {fate}: {', '.join(cell.op for cell in cells)}"
        said: dict[str, list[str]] = {}
        for cell in cells:
            said.setdefault(cell.accepted or (cell.message if fate == "refused" else seen(cell)), []).append(cell.op)
        for text, named in said.items():
            yield f"    {named[0] + ': ' if len(cells) > 1 else ''}{text}"
        yield f"    kept would be: {mode.kept}"
        if mode.issue and fate != "refused":  # the issues are about losses; an exception may be another matter
            yield f"    known to {BACKENDS[key].title}: {mode.issue}"
        if mode.instead:
            yield f"    instead: {mode.instead}"


def summary(matrix: Matrix) -> str:
    """Return the sums in one line."""
    accepted = sum(bool(cell.accepted) for cell in matrix.cells)
    parts = [f"{count} {fate}" for fate in _MARKS if (count := matrix.counts.get(fate, 0))]
    parts += [f"{accepted} of these accepted"] * bool(accepted)
    count = len(matrix.cells)
    return f"{count} cell{'s' * (count != 1)}: {', '.join(parts) or 'none'}" + ", interrupted" * matrix.interrupted
