"""Logarithm of the sum of two exponentials; keeps both inputs."""

import tensorflow as tf
from tensorflow import Tensor


def logaddexp(x1: Tensor, x2: Tensor) -> Tensor:
    """log(e^x1 + e^x2), both of one shape; the gradients are 0 where both are -inf."""

    @tf.custom_gradient
    def forward(x1: Tensor, x2: Tensor):
        v1, v2 = tf.stop_gradient(x1), tf.stop_gradient(x2)  # the tape keeps nothing of the forward
        lowest = x1.dtype.min  # -inf - lowest is -inf, where -inf - (-inf) is NaN

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            dx1 = dy * tf.sigmoid(x1 - tf.maximum(x2, lowest))
            dx2 = dy * tf.sigmoid(x2 - tf.maximum(x1, lowest))
            return dx1, dx2

        apart = tf.abs(tf.maximum(v1, lowest) - tf.maximum(v2, lowest))
        return tf.maximum(v1, v2) + tf.math.softplus(-apart), vjp

    x1, x2 = tf.identity(x1), tf.identity(x2)
    if not x1.shape.is_compatible_with(x2.shape):
        raise ValueError(f"x1 {x1.shape.as_list()}, x2 {x2.shape.as_list()}: wanted one shape")
    return forward(x1, x2)
