"""Logistic function that keeps its input alone, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def memory_efficient_sigmoid(x: Tensor) -> Tensor:
    """sigmoid(x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            y = tf.sigmoid(x)
            return dy * (y * (1 - y))

        return tf.sigmoid(x), vjp

    return forward(tf.convert_to_tensor(x))
