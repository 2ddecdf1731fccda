"""Writes a run for the terminal: one line per op, mode and size."""

from rich.console import Group, RenderableType
from rich.markup import escape

from porting import tables
from porting.bench.measure import FLOOR, LIMIT
from porting.bench.result import Bench, Row
from porting.bench.size import written_size
from porting.bench.stack import LAYERS
from porting.bench.subjects import BUILT_IN, COMPOSITION, TWIN

COLUMNS = (FLOOR, LIMIT, COMPOSITION, BUILT_IN)
LEGEND = (
    "The twin's time of forward and backward over that of the others, median within the round (quartiles). 1.00 of\n"
    "the floor is as fast as moving the bytes; the limit counts the kernels too that the formula cannot do without.\n"
    "? too noisy to conclude. kept for the backward, in inputs: twin / composition."
)


def table(bench: Bench) -> RenderableType:
    """Return all rows, and what could not be measured below them."""
    shown = tables.table()
    columns = [c for c in COLUMNS if c != LIMIT or any(LIMIT in row.ratios for row in bench.rows)]
    for column in ("op", "mode", "size", "us"):
        shown.add_column(column, no_wrap=True, justify="right" if column in {"size", "us"} else "left")
    for column in (*columns, "kept"):
        shown.add_column(f"/ {column}" if column in columns else column, no_wrap=True, justify="right")
    last = ""
    for row in bench.rows:
        if row.op != last and last:
            shown.add_section()
        time = f"{row.seconds[TWIN] * 1e6:.0f}" if TWIN in row.seconds else "-"
        shown.add_row(
            row.op if row.op != last else "",
            row.mode,
            written_size(row.size),
            time,
            *(_cell(row, c) for c in columns),
            kept(bench, row),
        )
        last = row.op
    peaks = [
        f"peak of {LAYERS} layers of {p.op}, {p.mode}, in tensors: "
        + ", ".join(f"{name} {value:.1f}" for name, value in p.tensors.items())
        for p in bench.peaks
    ]
    growth = [
        f"{k.op} {k.backend}: kept memory grows with the iterations to the power "
        + ", ".join(f"{value:.2f} ({name})" for name, value in k.growth.items())
        for k in bench.kept
        if k.growth
    ]
    problems = [
        f"{row.op} {row.mode} {written_size(row.size)} {s}: {why}"
        for row in bench.rows
        for s, why in row.errors.items()
    ]
    return Group(shown, LEGEND, *peaks, *growth, *(escape(problem) for problem in problems))


def _cell(row: Row, against: str) -> str:
    if against not in row.ratios:
        return "-"
    found = row.ratios[against]
    text = f"{found.median:.2f} [dim]({found.low:.2f}-{found.high:.2f})[/]"
    return f"[yellow]?[/] {text}" if against in row.noisy else text


def kept(bench: Bench, row: Row) -> str:
    """Return the memory kept for the backward, in units of the largest input: of the twin, then of the composition."""
    found = bench.kept_by(row.op, row.mode)
    if not row.mode.endswith("-eager") or TWIN not in found:
        return ""
    return " / ".join(f"{found[name]:.2f}" if name in found else "-" for name in (TWIN, COMPOSITION))
