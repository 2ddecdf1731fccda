"""The picture of the Legendre run: the data with every runner's fit, and the loss curves beside the printed losses."""

import math
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from porting.backends import CATALOGUED, TITLES
from porting.files import write
from porting.runners.base import Array
from porting.train.legendre import POINTS, PUBLISHED_LOSSES, Fit


class _Line(NamedTuple):
    title: str
    color: str
    width: float
    dashes: Any


# The curves lie on each other, so each is narrower than the one before and shows it through its gaps. The colours are
# from Okabe and Ito's palette, which stays distinguishable with any colour blindness; they also differ in lightness.
_TWINS: Final = (("#D55E00", 2.6, (0, (5, 3))), ("#000000", 1.6, (0, (1, 2))))
_LINES: Final = {
    "oracle": _Line("oracle (NumPy)", "#56B4E9", 5.0, "-"),
    **{key: _Line(TITLES[key], *style) for key, style in zip(CATALOGUED, _TWINS, strict=True)},
}
_DATA_COLOR: Final = "#C8C8C8"


def plot(fits: Sequence[Fit], path: Path) -> None:
    """Draw the fits as a PNG; the same fits give the same bytes.

    Parameters
    ----------
    fits : sequence of Fit
        The legend has them in this order.
    path : pathlib.Path
        The picture is written to a temporary file and then renamed, so only a complete file replaces an existing one.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    OSError
        If the file cannot be written (an `OutputError`); nothing is left behind.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError('--plot needs matplotlib: pip install "gradport[report]"') from error

    with mpl.rc_context():
        mpl.rcdefaults()  # a user's matplotlibrc must not change the picture
        figure = Figure(figsize=(12, 5), layout="constrained")  # no pyplot: it would choose a backend and keep state
        left, right = figure.subplots(1, 2)
        _draw_fits(left, fits)
        _draw_losses(right, fits)
        for axes in (left, right):
            axes.grid(alpha=0.25)
            axes.legend(handlelength=3.5)
        write(path, _png(figure), "--plot")


def _draw_fits(axes: Any, fits: Sequence[Fit]) -> None:
    x = np.linspace(-math.pi, math.pi, POINTS)
    axes.plot(x, np.sin(x), color=_DATA_COLOR, linewidth=9, solid_capstyle="butt", label="data: sin(x)")
    for fit in fits:
        _draw_curve(axes, fit, x, fit.predict(x))
    axes.set(title=r"$y = a + b\,P_3(c + d\,x)$, fitted to a sine", xlabel="x", ylabel="y")
    axes.set_xticks(
        [-math.pi, -math.pi / 2, 0, math.pi / 2, math.pi], [r"$-\pi$", r"$-\pi/2$", "0", r"$\pi/2$", r"$\pi$"]
    )


def _draw_losses(axes: Any, fits: Sequence[Fit]) -> None:
    for fit in fits:
        _draw_curve(axes, fit, np.arange(len(fit.curve)), fit.curve)
    axes.plot(
        *zip(*PUBLISHED_LOSSES.items(), strict=True),
        label="printed in the text", color="#000000", linestyle="none",
        marker="o", markersize=7, fillstyle="none", zorder=5,
    )  # fmt: skip
    axes.set(title="Loss: sum of squares over 2000 points", xlabel="step", ylabel="loss", yscale="log")
    axes.set_yticks([10, 20, 50, 100, 200, 500], ["10", "20", "50", "100", "200", "500"])
    axes.minorticks_off()


def _draw_curve(axes: Any, fit: Fit, x: Array, y: Array | tuple[float, ...]) -> None:
    title, color, width, dashes = _LINES[fit.runner]
    # Narrow above wide, in whatever order the fits come.
    axes.plot(x, y, label=title, color=color, linewidth=width, linestyle=dashes, zorder=4 - width / 10)


def _png(figure: Any) -> bytes:
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=120, metadata={"Software": None})  # the version would change the bytes
    return picture.getvalue()
