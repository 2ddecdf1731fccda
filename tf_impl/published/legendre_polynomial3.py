"""Legendre polynomial of degree three, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def legendre_polynomial3(x: Tensor) -> Tensor:
    """P3(x) = (5 x^3 - 3 x) / 2 of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy * 1.5 * (5 * x**2 - 1)

        return 0.5 * (5 * x**3 - 3 * x), vjp

    return forward(tf.convert_to_tensor(x))
