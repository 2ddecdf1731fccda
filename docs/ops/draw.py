"""Draws value and gradient of every op of one number, from the oracle: ``python docs/ops/draw.py [OP…]``.

The pictures stand beside the pages: ``<family>/<op>.svg``. The same versions of NumPy and matplotlib give the same
bytes.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from porting.parity.cases import Cases
from porting.registry import select
from porting.spec import Op

HERE = Path(__file__).parent
_STEP = 1 / 128  # a power of two, so that 0 and the halves are met
_JUMP = 8.0  # a steeper rise than this is a jump and is not joined


def drawable(op: Op) -> bool:
    """Tell whether an op takes one real number."""
    return op.in_catalogue and len(op.inputs) == 1 and not op.contract.shapes and not op.contract.complex


def draw(op: Op) -> Figure:
    """Return the figure of an op: its value, and its gradient for a cotangent of 1."""
    low, high = Cases(op, "float64").bounds()[op.inputs[0]] or (-3.0, 3.0)
    x = np.arange(max(low, -3.0), min(high, 3.0) + _STEP / 2, _STEP)
    statics = next(Cases(op, "float64").variants())
    with np.errstate(all="ignore"):
        y, dx = op(x, **statics), op.vjp(np.ones_like(x), x, **statics)
    figure = Figure(figsize=(4.8, 2.4), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0, color="0.8", linewidth=0.8)
    axes.plot(x, _broken(y), color="#1f6feb", linewidth=1.8, label="y")
    axes.plot(x, _broken(dx), color="#d1530f", linewidth=1.8, linestyle=(0, (4, 2)), label="dx for dy = 1")
    axes.set_ylim(*_limits(y, dx))
    settings = ", ".join(f"{name}={getattr(s, '__name__', s)}" for name, s in op.settings(statics).items())
    axes.set_title(f"{op.name}({', '.join([*op.inputs, settings] if settings else op.inputs)})", fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    axes.legend(frameon=False, fontsize=8)
    return figure


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
