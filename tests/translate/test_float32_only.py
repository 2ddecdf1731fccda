"""A source that takes float32 alone is no measure to more digits than that: where it cancels, both lose the same."""

import pytest
from spoiled import spoil

from porting.port.discover import units_of
from porting.port.one import port
from porting.port.options import Checking
from porting.runners import RUNNERS

pytestmark = [
    pytest.mark.skipif(any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="needs both frameworks"),
    pytest.mark.slow,
]
SOURCE = """import tensorflow as tf


@tf.custom_gradient
def bump(x):
    half = tf.constant(0.5)
    z = half * x - half
    near = tf.logical_and(-1.5 < z, z <= -0.5)
    y = -8 * tf.pow(z, 4) - 32 * tf.pow(z, 3) - 48 * tf.pow(z, 2) - 32 * z - 7

    def grad(dy):
        slope = -16 * tf.pow(z, 3) - 48 * tf.pow(z, 2) - 48 * z - 16
        return dy * tf.where(near, slope, tf.zeros_like(x))

    return tf.where(near, y, tf.zeros_like(x)), grad
"""


def ported(tmp_path):
    path = tmp_path / "bump.py"
    path.write_text(SOURCE)
    (unit,) = units_of(path, "bump", "torch")
    return port(unit, how=Checking().begun())


def test_what_both_lose_is_no_difference(tmp_path):
    made = ported(tmp_path)
    assert made.status == "proven", made
    assert "in float32, " in made.said


@pytest.mark.parametrize(("right", "other"), [("- 7", "- 7.01"), ("- 16\n", "- 16.1\n")], ids=["value", "gradient"])
def test_a_little_more_is_one(right, other, tmp_path, monkeypatch):
    spoil(monkeypatch, right, other)
    assert ported(tmp_path).status == "different"
