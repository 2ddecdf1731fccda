"""A kernel of TensorFlow may round its options to float32, whatever its numbers are: that is a limit, and is said."""

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
def leaky(x):
    def grad(dy):
        return dy * tf.where(x > 0, tf.ones_like(x), {slope} * tf.ones_like(x))

    return {value}, grad
"""
OPTION = "tf.nn.leaky_relu(x, alpha=0.3)"


def ported(tmp_path, **parts):
    path = tmp_path / "leaky.py"
    path.write_text(SOURCE.format(**parts))
    (unit,) = units_of(path, "leaky", "torch")
    return port(unit, how=Checking().begun())


def test_it_is_proven_in_float32_and_the_limit_is_said(tmp_path):
    made = ported(tmp_path, value=OPTION, slope=0.3)
    assert made.status == "proven", made
    assert any("in float64, to the digits of float32" in limit for limit in made.limits), made.limits


def test_another_number_is_no_digit(tmp_path, monkeypatch):
    spoil(monkeypatch, "0.3", "0.30001")
    assert ported(tmp_path, value=OPTION, slope=0.3).status == "different"


OF_KERAS = """from keras import ops


@ops.custom_gradient
def scaled(x, scale=0.3):
    def grad(*args, upstream=None):
        if upstream is None:
            (upstream,) = args
        return (ops.multiply(upstream, ops.convert_to_tensor(scale, dtype=upstream.dtype)),)

    return x, grad
"""


def test_a_number_that_keras_rounds_for_complex_numbers_alone_is_a_limit(tmp_path):
    path = tmp_path / "scaled.py"
    path.write_text(OF_KERAS)
    (unit,) = units_of(path, "scaled", "torch")
    made = port(unit, how=Checking().begun())
    assert made.status == "proven", made
    assert any("complex" in limit for limit in made.limits), made.limits
