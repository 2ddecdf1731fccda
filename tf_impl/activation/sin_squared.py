"""Squared sine."""

import tensorflow as tf
from tensorflow import Tensor


def sin_squared(x: Tensor) -> Tensor:
    """sin(x)^2 of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return 2 * tf.sin(x) * tf.cos(x) * dy

        return tf.sin(x) ** 2, vjp

    return forward(tf.convert_to_tensor(x))
