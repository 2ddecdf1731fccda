"""A source that draws random numbers is translated, and proven with the same ones on both sides."""

import pytest
from spoiled import spoil

from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS

needs_both = pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks")
ROUNDED = """import torch


class StochasticRound(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        noise = x.new(x.shape).uniform_(-0.5, 0.5)
        return torch.round(x + noise)

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy
"""
DROPPED = """import tensorflow as tf


@tf.custom_gradient
def dropped(x):
    mask = tf.cast(tf.random.uniform(tf.shape(x), dtype=x.dtype) < 0.75, x.dtype)

    def grad(dy):
        return 3 * dy * mask

    return 3 * x * mask, grad
"""
ALL = {"StochasticRound": ("tf", ROUNDED), "dropped": ("torch", DROPPED)}


def _ported(name, tmp_path):
    to, text = ALL[name]
    path = tmp_path / "theirs.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, name, to)
    return port(unit, how=Checking().begun())


@needs_both
@pytest.mark.parametrize("name", ALL)
def test_it_is_proven_with_the_same_numbers(name, tmp_path):
    made = _ported(name, tmp_path)
    assert made.status == "proven", made.said
    assert "the same random numbers" in made.said


@needs_both
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "right", "wrong", "status"),
    [
        ("StochasticRound", "3 * dy", "2 * dy", "different"),
        ("dropped", "3 * x", "2 * x", "different"),
        ("dropped", "< 0.75", ">= 0.25", "not proven"),
    ],
)
def test_another_one_is_not(name, right, wrong, status, tmp_path, monkeypatch):
    spoil(monkeypatch, right, wrong)
    assert _ported(name, tmp_path).status == status
