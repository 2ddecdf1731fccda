"""A helper that a package hands on from another one of its files: ``from .clip import *`` in its ``__init__.py``."""

import numpy as np
import pytest
import tensorflow as tf

from porting.port.discover import units_of
from porting.port.one import port

MINE = """import torch
from tools import clip


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return clip(dy)
"""
CLIP = """import torch


def clip(x):
    return torch.clamp(x, -0.5, 0.5)
"""


@pytest.mark.parametrize(
    "line", ["from .clipping import clip", "from .clipping import *", "from tools.clipping import clip"]
)
@pytest.mark.parametrize("place", ["", "models/deep/"], ids=["beside", "above"])
def test_it_comes_along(line, place, tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/__init__.py").write_text(f"{line}\n")
    (tmp_path / "tools/clipping.py").write_text(CLIP)
    path = tmp_path / f"{place}mine.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MINE)
    (unit,) = units_of(path, "", "tf")
    made = port(unit, check=False)
    assert made.refused == ()
    ours = {"__name__": "ours"}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x = tf.constant([-1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = ours["mine"](x)
    np.testing.assert_allclose(tape.gradient(y, x, tf.constant([2.0, 0.25])), [0.5, 0.25])
