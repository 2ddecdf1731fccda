"""Exponential whose gradient is doubled on purpose, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def custom_exp(x: Tensor) -> Tensor:
    """exp(x) of any shape; the gradient is that of 2 exp(x)."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return 2 * tf.exp(x) * dy

        return tf.exp(x), vjp

    return forward(tf.convert_to_tensor(x))
