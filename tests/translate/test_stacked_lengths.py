"""A length and a number that the caller gives are stacked to a shape: TensorFlow joins whole numbers alone to those."""

import pytest

from porting.translate.module import Translator
from porting.translate.read.source import read_source

SOURCE = """import tensorflow as tf


@tf.custom_gradient
def padded(x, longest):
    y = tf.zeros(tf.stack([tf.shape(x)[0], {second}]), x.dtype)

    def grad(dy):
        return tf.ones_like(x) * tf.reduce_sum(dy), None

    return y + tf.reduce_sum(x), grad
"""


@pytest.mark.parametrize(("second", "is_read"), [("longest", True), ("4", True), ("0.5", False)])
def test_they_are_a_shape(tmp_path, second, is_read):
    path = tmp_path / "padded.py"
    path.write_text(SOURCE.format(second=second))
    made = Translator(read_source(path), "tf", "torch").translate("padded")
    assert (f"torch.zeros((x.shape[0], {second}), dtype=x.dtype" in made.text) == is_read, made.text
    assert bool(made.refused) != is_read, made.refused
