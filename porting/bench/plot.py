"""Draws the picture of a run: how far each op is from the floor in each mode, at the largest size."""

from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from porting.bench.measure import FLOOR
from porting.bench.picture import write_picture
from porting.bench.result import Bench
from porting.bench.size import written_size

# Okabe and Ito's palette, which stays distinguishable with any colour blindness; the marks differ as well.
_STYLES: Final = {
    "torch-eager": ("#D55E00", "o"),
    "torch-compile": ("#E69F00", "s"),
    "tf-eager": ("#000000", "D"),
    "tf-function": ("#0072B2", "^"),
    "tf-xla": ("#56B4E9", "v"),
}


def plot(bench: Bench, path: Path) -> None:
    """Draw the ratios to the floor as a PNG; the same run gives the same bytes.

    Parameters
    ----------
    bench : Bench
        What was measured.
    path : pathlib.Path
        Written beside and renamed.

    Raises
    ------
    OSError
        If the file cannot be written (an `OutputError`); nothing is left behind.
    """

    def drawn() -> Figure:
        names = list(dict.fromkeys(row.op for row in bench.rows))[::-1]
        figure = Figure(figsize=(9, 1.6 + 0.24 * len(names)), layout="constrained")
        _draw(figure.subplots(), bench, names)
        return figure

    write_picture(path, drawn, dpi=120)


def _draw(axes: Any, bench: Bench, names: list[str]) -> None:
    largest = max((row.size for row in bench.rows), default=1)
    for mode in dict.fromkeys(row.mode for row in bench.rows):
        points = [row for row in bench.rows if (row.mode, row.size) == (mode, largest) and FLOOR in row.ratios]
        found = [row.ratios[FLOOR] for row in points]
        color, mark = _STYLES[mode]
        axes.errorbar(
            [f.median for f in found], [names.index(row.op) for row in points],
            xerr=[[f.median - f.low for f in found], [f.high - f.median for f in found]],
            label=mode, color=color, marker=mark, linestyle="none", markersize=5, elinewidth=1, alpha=0.9,
        )  # fmt: skip
    axes.axvline(1.0, color="#999999", linewidth=1)
    axes.set(xscale="log", xlabel="time of forward and backward over moving the bytes", ylim=(-1, len(names)))
    axes.set_title(f"{written_size(largest)} elements, {bench.dtype}; bars are quartiles")
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.grid(axis="x", which="both", alpha=0.25)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.tick_params(axis="x", which="both", labelsize=8)
    if names:
        axes.figure.legend(loc="outside lower center", ncols=len(_STYLES), fontsize=8)
