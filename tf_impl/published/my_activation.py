"""Logistic function times a reciprocal square root, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def my_activation(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape; the gradient is not its derivative."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy * (1 - tf.sigmoid(x) ** 2) * 0.5 * (tf.exp(x) + 1) ** (-1.5) * (1 + 3 * tf.exp(x))

        return tf.sigmoid(x) * tf.math.rsqrt(1 + tf.exp(x)), vjp

    return forward(tf.convert_to_tensor(x))
