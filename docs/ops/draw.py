"""Draws value and gradient of every op of one number, from the oracle: ``python docs/ops/draw.py [OP…]``.

Below the curve stands how far the twins are off, as `measure_errors.py` has measured it. The pictures stand beside the
pages: ``<family>/<op>.svg``. The same versions of NumPy and matplotlib give the same bytes.
"""

import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from porting.backends import TITLES
from porting.parity.cases import Cases
from porting.registry import select
from porting.spec import Op

HERE = Path(__file__).parent
ERRORS: Final = HERE / "errors.json"
_STEP = 1 / 128  # a power of two, so that 0 and the halves are met
_JUMP = 8.0  # a steeper rise than this is a jump and is not joined
_TICKS = (0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000)  # ulp, on a scale of logarithms
_LINES = {"torch": ("#7a3e9d", "-"), "tf": ("#0f766e", (0, (4, 1.5)))}


def drawable(op: Op) -> bool:
    """Tell whether an op takes one real number."""
    return op.in_catalogue and len(op.inputs) == 1 and not op.contract.shapes and not op.contract.complex


def span(op: Op) -> tuple[float, float]:
    """Return from where to where the curve of an op goes."""
    low, high = Cases(op, "float64").bounds()[op.inputs[0]] or (-3.0, 3.0)
    return max(low, -3.0), min(high, 3.0)


def draw(op: Op) -> Figure:
    """Return the figure of an op: its value, its gradient for a cotangent of 1, and how far the twins are off."""
    low, high = span(op)
    x = np.arange(low, high + _STEP / 2, _STEP)
    statics = next(Cases(op, "float64").variants())
    with np.errstate(all="ignore"):
        y, dx = op(x, **statics), op.vjp(np.ones_like(x), x, **statics)
    off = errors().get(op.name, {})
    heights = [4, 1, 1] if off else [4]
    width, height = 4.8, 3.9 if off else 2.4
    figure = Figure(
        figsize=(width, height)
    )  # in inches, like the margins; to have them computed takes half of the time
    figure.subplots_adjust(0.55 / width, 0.3 / height, 1 - 0.1 / width, 1 - 0.3 / height, hspace=0.42)
    axes, *strips = figure.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    axes.axhline(0, color="0.8", linewidth=0.8)
    axes.plot(x, _broken(y), color="#1f6feb", linewidth=1.8, label="y")
    axes.plot(x, _broken(dx), color="#d1530f", linewidth=1.8, linestyle=(0, (4, 2)), label="dx for dy = 1")
    axes.set_ylim(*_limits(y, dx))
    settings = ", ".join(f"{name}={getattr(s, '__name__', s)}" for name, s in op.settings(statics).items())
    axes.set_title(f"{op.name}({', '.join([*op.inputs, settings] if settings else op.inputs)})", fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    for name, strip in zip(("y", "dx"), strips, strict=False):
        _strip(strip, name, off, low, high)
    for each in (axes, *strips):
        each.spines[["top", "right"]].set_visible(False)
        each.tick_params(labelsize=8)
    return figure


@cache
def errors() -> dict[str, Any]:
    """Return what `measure_errors.py` has measured: of an op and a side the errors of ``y`` and ``dx``."""
    found: dict[str, Any] = json.loads(ERRORS.read_text(encoding="utf-8"))["ops"]
    return found


def _strip(axes: Axes, name: str, off: dict[str, dict[str, list[float | None]]], low: float, high: float) -> None:
    """Draw how far the twins are off, on each side."""
    most = 1.0
    for key, (color, dashes) in _LINES.items():
        units = np.array(off[key][name], dtype=float)
        at = low + (high - low) / units.size * (np.arange(units.size) + 0.5)
        axes.plot(at, np.log1p(units), color=color, linewidth=1.1, linestyle=dashes, label=TITLES[key])
        most = max(most, float(np.nanmax(units)))
    ticks = [tick for tick in _TICKS if tick <= most]
    ticks = [0, ticks[len(ticks) // 2], ticks[-1]] if len(ticks) > 3 else ticks
    axes.set_yticks(np.log1p(ticks), [f"{tick:g}" for tick in ticks])
    axes.set_ylim(0, np.log1p(most) * 1.1)
    axes.set_title(f"error of {name} in float32, ulp", fontsize=8, loc="left", pad=2)
    if name == "y":
        axes.legend(frameon=False, fontsize=7, ncols=2, loc="lower right", bbox_to_anchor=(1, 0.85), borderaxespad=0)


def save(op: Op, folder: Path = HERE) -> Path:
    """Write the picture of an op and return its path."""
    path = folder / op.family / f"{op.name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": op.name, "svg.fonttype": "none", "path.simplify_threshold": 0.5}):
        draw(op).savefig(path, format="svg", metadata={"Date": None})
    return path


def _broken(y: Any) -> Any:
    """Return a copy with NaN before each jump, where a line would hide it."""
    shown = np.array(y)
    shown[:-1][np.abs(np.diff(y)) > _JUMP * _STEP * max(1.0, float(np.nanmax(np.abs(y))))] = np.nan
    return shown


def _limits(y: Any, dx: Any) -> tuple[float, float]:
    both = np.concatenate([y, dx])
    low, high = np.clip([np.nanmin(both), np.nanmax(both)], -6, 6)
    room = 0.08 * (high - low) + 0.02
    return float(low - room), float(high + room)


def main(names: Sequence[str]) -> None:
    """Draw the named ops, or all."""
    for op in select(names):
        if drawable(op):
            print(save(op))  # noqa: T201  # a script


if __name__ == "__main__":
    main(sys.argv[1:])
