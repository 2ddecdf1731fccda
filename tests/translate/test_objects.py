"""Objects of one's own: what is read of an argument, and classes that hold values and name no framework."""

from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
import torch
from spoiled import spoil

from porting.port.discover import units_of
from porting.port.one import port
from porting.runners import RUNNERS

CLASSES = """import enum
from dataclasses import dataclass
from typing import NamedTuple

import torch


class Mode(enum.Enum):
    HARD = 1
    SOFT = 2


class Limits(NamedTuple):
    low: float
    high: float


@dataclass
class Config:
    scale: float = 2.0
    mode: Mode = Mode.HARD


class ops:
    @staticmethod
    def clip(x, limits):
        return torch.clamp(x, limits.low, limits.high)


"""
MINE = (
    CLASSES
    + """class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limits, cfg):
        ctx.cfg = cfg
        ctx.save_for_backward(x)
        y = ops.clip(x, limits)
        return torch.round(y * cfg.scale) / cfg.scale if cfg.mode is Mode.HARD else torch.sin(y)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        cfg = ctx.cfg
        return dy * cfg.scale * torch.cos(x), None, None
"""
)
CALLED = "\n\ndef mine(x, low, high):\n    return Mine.apply(x, Limits(low, high), Config())\n"
X = np.array([-1.2, -0.3, 0.2, 0.6, 1.7])


def ported(tmp_path, text):
    path = tmp_path / "theirs.py"
    path.write_text(text)
    (unit,) = units_of(path, "", "tf")
    return port(unit, check=False)


def spaces(text, made):
    theirs, ours = {"__name__": "theirs"}, {"__name__": "ours"}
    exec(text, theirs)  # noqa: S102 - the test's own
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    return theirs, ours


def in_pytorch(op, *given):
    x = torch.tensor(X, requires_grad=True)
    y = op(x, *given)
    y.backward(torch.ones_like(y))
    return y.detach().numpy(), x.grad.numpy()


def in_tensorflow(op, *given):
    with tf.GradientTape() as tape:
        x = tf.constant(X)
        tape.watch(x)
        y = op(x, *given)
    return y.numpy(), tape.gradient(y, x).numpy()


@pytest.mark.parametrize("mode", ["HARD", "SOFT"])
def test_what_is_read_of_an_argument_is_read_there_too(mode, tmp_path):
    made = ported(tmp_path, MINE)
    assert made.refused == ()
    theirs, ours = spaces(MINE, made)
    limits = SimpleNamespace(low=-0.5, high=1.0)

    def cfg(space):
        return SimpleNamespace(scale=4.0, mode=getattr(space["Mode"], mode))

    want = in_pytorch(theirs["Mine"].apply, limits, cfg(theirs))
    np.testing.assert_allclose(in_tensorflow(ours["mine"], limits, cfg(ours)), want)


def test_classes_that_hold_values_stay(tmp_path):
    made = ported(tmp_path, MINE + CALLED)
    assert made.refused == ()
    theirs, ours = spaces(MINE + CALLED, made)
    np.testing.assert_allclose(in_tensorflow(ours["mine"], -0.5, 1.0), in_pytorch(theirs["mine"], -0.5, 1.0))
    assert "class Limits(NamedTuple):" in made.text
    assert "cfg.mode is Mode.HARD" in made.text


def test_a_method_is_what_only_the_object_knows(tmp_path):
    made = ported(tmp_path, MINE.replace("torch.round(y * cfg.scale)", "cfg.rounded(y)"))
    assert [why for _, why in made.refused] == ["cfg.rounded(): only the object knows what that does"]


def test_a_class_that_names_a_framework_does_not_stay(tmp_path):
    text = (MINE + CALLED).replace("    scale: float = 2.0\n", "    scale: torch.Tensor = torch.tensor(2.0)\n")
    made = ported(tmp_path, text)
    assert "what is around it is refused: Config: a class that is no autograd.Function" in made.notes
    assert "class Config" not in made.text


@pytest.mark.slow
@pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
def test_it_is_proven_with_what_its_attributes_are_compared_with(tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(MINE)
    (unit,) = units_of(path, "", "tf")
    made = port(unit)
    assert made.status == "proven", made
    assert "also with cfg_mode=0.75" in made.said
    assert "cfg_mode='Mode.HARD'" in made.inputs


TF = """import enum
import tensorflow as tf


class Mode(enum.Enum):
    HARD = 1
    SOFT = 2


def mine(x, cfg):
    @tf.custom_gradient
    def inner(x):
        def grad(dy):
            return tf.where(x > cfg.low, dy * cfg.scale, tf.zeros_like(dy))

        y = tf.maximum(x, cfg.low)
        return (tf.round(y * cfg.scale) / cfg.scale if cfg.mode is Mode.HARD else tf.sin(y)), grad

    return inner(x)
"""


@pytest.mark.parametrize("mode", ["HARD", "SOFT"])
def test_so_it_is_the_other_way(mode, tmp_path):
    path = tmp_path / "theirs.py"
    path.write_text(TF)
    (unit,) = units_of(path, "", "torch")
    made = port(unit, check=False)
    assert made.refused == ()
    theirs, ours = spaces(TF, made)

    def cfg(space):
        return SimpleNamespace(low=-0.5, scale=4.0, mode=getattr(space["Mode"], mode))

    want = in_tensorflow(theirs["mine"], cfg(theirs))
    np.testing.assert_allclose(in_pytorch(ours["mine"], cfg(ours)), want)


@pytest.mark.slow
@pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
def test_a_branch_that_an_attribute_takes_is_compared(tmp_path, monkeypatch):
    spoil(monkeypatch, "torch.sin(y)", "torch.cos(y)")
    path = tmp_path / "theirs.py"
    path.write_text(TF)
    (unit,) = units_of(path, "", "torch")
    made = port(unit)
    assert made.status == "different", made
    assert "with cfg_mode=" in made.said
