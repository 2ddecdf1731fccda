"""A gradient that is nearly the derivative of its forward: where both sides have the same numbers, no law differs."""

import pytest

from porting.port.discover import units_of
from porting.port.one import port

_NEARLY = """\
import tensorflow as tf


@tf.custom_gradient
def root(x):
    y = tf.sqrt(x)

    def grad(dy):
        return dy / (2 * (y + {eps}))

    return y, grad
"""
_PLACE = """\
import tensorflow as tf


@tf.custom_gradient
def largest(x):
    def grad(dy):
        return dy * tf.one_hot(tf.argmax(x, -1), x.shape[-1], dtype=x.dtype)

    return tf.reduce_sum(x, -1, keepdims=True), grad
"""


def made_of(folder, text, **asked):
    path = folder / "source.py"
    path.write_text(text, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    return port(unit, **asked)


@pytest.mark.slow
@pytest.mark.parametrize("eps", [0.5, 1e-3, 1e-7])
def test_it_is_proven(eps, tmp_path):
    made = made_of(tmp_path, _NEARLY.format(eps=eps))
    assert made.status == "proven", made


def test_who_finds_the_place_of_a_nan_is_told(tmp_path):
    made = made_of(tmp_path, _PLACE, check=False)
    assert any("passes over a NaN" in note for note in made.notes), made


_OF_TWO = """\
import tensorflow as tf


@tf.custom_gradient
def scaled(x, weight{annotation}):
    def grad(dy):
        return dy * weight, dy * x

    return x * weight, grad
"""


@pytest.mark.parametrize(("annotation", "told"), [("", True), (": tf.Tensor", False)], ids=["nothing said", "a tensor"])
def test_what_has_to_be_a_tensor_in_pytorch_is_told(annotation, told, tmp_path):
    made = made_of(tmp_path, _OF_TWO.format(annotation=annotation), check=False)
    assert ("weight: a tensor is wanted here, where TensorFlow makes one of a number." in made.notes) == told, made
