"""The section of an op's page on what the op costs: its rows of `docs/bench.md`, which `porting bench` writes."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from porting.spec import Op

PAGE: Final = Path(__file__).parents[1] / "bench.md"
_OP: Final = re.compile(r"^\| \[(\w+)\]\(ops/\w+/\w+\.md\) ")
_COLUMNS: Final = ("/ floor", "/ composition", "/ built-in", "growth", "kept")
_LIMIT: Final = "/ limit"


def section(op: Op) -> str:
    """Return the section; nothing of an op that was not measured."""
    modes = _measured().get(op.name)
    if modes is None:
        return ""
    limits = any(_LIMIT in row for row in modes.values())
    columns = [_LIMIT, *_COLUMNS] if limits else list(_COLUMNS)
    rows = [[mode, *(row.get(column, "-") for column in columns)] for mode, row in modes.items()]
    said = (
        "Time of one forward and backward, over that of others; and what is kept for the backward, in inputs. "
        f"[The page of all ops](../../bench.md#{op.family}) says what each column is, and where it was measured."
    )
    table = [_row(["mode", *columns]), _row(["---"] * (len(columns) + 1)), *map(_row, rows)]
    return "\n".join(["## What it costs", "", said, "", *table, "", ""])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


@cache
def _measured() -> dict[str, dict[str, dict[str, str]]]:
    """Return the cells of the tables: by op, by mode, by column."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    head: list[str] = []
    limits: dict[str, dict[str, str]] = {}
    name = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        named = _OP.match(line)
        name = named[1] if named else name
        if line.startswith("| op |"):
            head = cells
        elif head[1:2] == ["mode"] and line.startswith(("| [", "|  |")):
            found.setdefault(name, {})[cells[1]] = dict(zip(head[2:], cells[2:], strict=True))
        elif named:
            limits[name] = dict(zip(head[1:], cells[1:], strict=True))
    for op, of_modes in limits.items():
        for mode, limit in of_modes.items():
            found.get(op, {}).get(mode, {})[_LIMIT] = limit
    return found
