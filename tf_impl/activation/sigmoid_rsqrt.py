"""Logistic function times a reciprocal square root."""

import tensorflow as tf
from tensorflow import Tensor


def sigmoid_rsqrt(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            s = tf.sigmoid(at)
            return dy * s * tf.exp(0.5 * tf.math.log_sigmoid(-at)) * (1 - 1.5 * s)

        return tf.sigmoid(v) * tf.exp(0.5 * tf.math.log_sigmoid(-v)), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
