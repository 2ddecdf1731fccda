"""Draws what a proof costs: each checker's time over that of one forward and backward, by the number of elements."""

from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from porting.backends import TITLES
from porting.bench.checking.result import Checking
from porting.bench.checking.steps import CHECK, SUBJECTS, UNIT
from porting.bench.picture import write_picture

# Okabe and Ito's palette, which stays distinguishable with any colour blindness; the marks differ as well.
_STYLES: Final = (("#0072B2", "o"), ("#E69F00", "s"), ("#D55E00", "^"), ("#56B4E9", "v"), ("#000000", "D"))


def plot(found: Checking, path: Path) -> None:
    """Draw a panel for each op and framework as a PNG; the same run gives the same bytes.

    Parameters
    ----------
    found : Checking
        What was measured.
    path : pathlib.Path
        Written beside and renamed.

    Raises
    ------
    OSError
        If the file cannot be written (an `OutputError`); nothing is left behind.
    """

    def drawn() -> Figure:
        ops = list(dict.fromkeys(op for op, _ in found.of))
        backends = list(dict.fromkeys(backend for _, backend in found.of))
        size = (1.5 + 4 * max(1, len(backends)), 0.6 + 2.8 * max(1, len(ops)))
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(max(1, len(ops)), max(1, len(backends)), squeeze=False, sharex=True, sharey=True)
        for op, backend in found.of:
            _draw(grid[ops.index(op)][backends.index(backend)], found, op, backend)
        return figure

    write_picture(path, drawn, dpi=110)


def _draw(axes: Any, found: Checking, op: str, backend: str) -> None:
    subjects = [subject for subject in SUBJECTS[backend] if subject != UNIT]
    for subject, (color, mark) in zip(subjects, _STYLES, strict=False):
        at = {n: p.units[subject].median for n, p in found.at(op, backend).items() if subject in p.units}
        width = 2.2 if subject == CHECK else 1.2
        axes.plot(list(at), list(at.values()), color=color, marker=mark, linewidth=width, markersize=5, label=subject)
    axes.axhline(1.0, color="#999999", linewidth=1)
    axes.set(xscale="log", yscale="log", title=f"{op}, {TITLES[backend]}")
    axes.set_xlabel("elements")
    axes.set_ylabel("over forward and backward")
    axes.grid(which="major", alpha=0.3)
    axes.legend(fontsize=8)
