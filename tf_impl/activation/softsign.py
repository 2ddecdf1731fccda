"""Softsign."""

import tensorflow as tf
from tensorflow import Tensor


def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            r = 1 + tf.abs(at)
            return dy / r / r

        return v / (1 + tf.abs(v)), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
