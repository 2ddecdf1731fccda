"""Gradient reversal: the value as it is, the gradient with the other sign."""

import tensorflow as tf
from tensorflow import Tensor


def reverse_gradient(x: Tensor, *, scale: float = 1.0) -> Tensor:
    """x of any shape; the gradient is -scale dy."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return -scale * dy

        return tf.stop_gradient(x), vjp  # forward mode would differentiate x itself

    return forward(tf.identity(x))
