"""Rounding whose gradient passes straight through."""

import tensorflow as tf
from tensorflow import Tensor


def ste_round(x: Tensor) -> Tensor:
    """The nearest integer, halves to even, of any shape; the gradient is dy."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices

        return tf.round(x), vjp

    return forward(tf.identity(x))
