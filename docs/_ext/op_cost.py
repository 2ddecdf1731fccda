"""The section of an op's page on what the op costs: its rows of `docs/bench.md`, which `porting bench` writes."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from porting.spec import Op

PAGE: Final = Path(__file__).parents[1] / "bench.md"
_OP: Final = re.compile(r"^\| \[(\w+)\]\(ops/\w+/\w+\.md\) ")
_COLUMNS: Final = ("/ limit", "/ floor", "/ composition", "/ built-in", "growth", "kept")


def section(op: Op) -> str:
    """Return the section; nothing of an op that was not measured."""
    modes = _measured().get(op.name)
    if modes is None:
        return ""
    rows = [[mode, *(row.get(column, "-") for column in _COLUMNS)] for mode, row in modes.items()]
    said = (
        "Time of one forward and backward, over that of others; and what is kept for the backward, in inputs. "
        f"[The page of all ops](../../bench.md#{op.family}) says what each column is, and where it was measured."
    )
    table = [_row(["mode", *_COLUMNS]), _row(["---"] * (len(_COLUMNS) + 1)), *map(_row, rows)]
    return "\n".join(["## What it costs", "", said, "", *table, "", ""])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


@cache
def _measured() -> dict[str, dict[str, dict[str, str]]]:
    """Return the cells of the tables: by op, by mode, by column."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    head: list[str] = []
    name = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        named = _OP.match(line)
        name = named[1] if named else name
        if line.startswith("| op |"):
            head = cells
        elif head[1:2] == ["mode"] and line.startswith(("| [", "|  |")):
            found.setdefault(name, {})[cells[1]] = dict(zip(head[2:], cells[2:], strict=True))
    return found
