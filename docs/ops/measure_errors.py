"""Measures how far the twins of each op of one number are off: ``python docs/ops/measure_errors.py [OP…]``.

It writes ``errors.json``: along the curve of a picture, the largest error of each stretch in float32, in units in the
last place of the true number, which is the oracle's. `draw.py` draws it. Another processor may give other digits.
"""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from draw import ERRORS, drawable, span

from porting.backends import BACKENDS, CATALOGUED
from porting.parity.cases import Cases
from porting.registry import ops, select
from porting.runners import RUNNERS, Case, runner_of
from porting.spec import Op

STRETCHES: Final = 96
_EACH: Final = 16  # numbers in a stretch
_SHIFT: Final = 0.381966  # of a step: halves and quarters would be rounded nowhere
_MOST: Final = 1e9  # stands for an answer that is no number, too


def measure(op: Op) -> dict[str, dict[str, list[float | None]]]:
    """Return the errors of value and gradient on each side, along the curve."""
    low, high = span(op)
    steps = np.arange(STRETCHES * _EACH) + _SHIFT
    x = (low + (high - low) / steps.size * steps).astype(np.float32)
    statics, ones = next(Cases(op, "float32").variants()), np.ones_like(x)
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        wanted = {"y": op(wide, **statics), "dx": op.vjp(np.ones_like(wide), wide, **statics)}
    found = {}
    for key in CATALOGUED:
        answer = runner_of(op, key).run(Case(op, "float32", {op.inputs[0]: x}, (ones,), statics=statics))
        if answer.raised is not None:
            raise RuntimeError(f"{op.name} on {key}: {answer.raised}")
        got = {"y": answer.value[0], "dx": answer.vjp[0]}
        found[key] = {name: _largest(got[name], wanted[name]) for name in wanted}
    return found


def _largest(got: Any, want: Any) -> list[float | None]:
    """Return the largest error of each stretch; `None` where the truth is nowhere a number."""
    with np.errstate(all="ignore"):
        units = np.abs(got - want) / np.spacing(np.abs(want).astype(np.float32))
    units = np.where(np.isfinite(units), np.minimum(units, _MOST), _MOST)
    rows = np.where(np.isfinite(want), units, -1.0).reshape(STRETCHES, _EACH).max(axis=1)
    return [None if row < 0 else float(f"{row:.2g}") for row in rows]


def main(names: Sequence[str]) -> None:
    """Measure the named ops, or all, and write the file."""
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"  # as in `porting check`: TensorFlow's own kernels
    kept = json.loads(ERRORS.read_text(encoding="utf-8"))["ops"] if names and ERRORS.exists() else {}
    kept |= {op.name: measure(op) for op in select(names) if drawable(op)}
    versions = {BACKENDS[key].title: RUNNERS[key].version() for key in CATALOGUED}
    lines = [f'"{name}": {json.dumps(kept[name])}' for name in ops() if name in kept]
    text = f'{{\n"versions": {json.dumps(versions)},\n"ops": {{\n' + ",\n".join(lines) + "\n}\n}\n"
    ERRORS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
