"""Logistic function times a reciprocal square root."""

import tensorflow as tf
from tensorflow import Tensor


def sigmoid_rsqrt(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            s = tf.sigmoid(x)
            return dy * s * tf.exp(0.5 * tf.math.log_sigmoid(-x)) * (tf.sigmoid(-x) - 0.5 * s)

        return tf.sigmoid(x) * tf.exp(0.5 * tf.math.log_sigmoid(-x)), vjp

    return forward(tf.convert_to_tensor(x))
