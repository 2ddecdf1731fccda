"""A spike whose gradient is that of an arc tangent."""

from math import pi

import tensorflow as tf
from tensorflow import Tensor


def atan_spike(x: Tensor, *, alpha: float = 2.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy (alpha / 2) / (1 + (pi alpha x / 2)^2)."""
    if not alpha > 0:
        raise ValueError(f"alpha={alpha}: wanted alpha > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            wide = tf.cast(x, tf.float32) if x.dtype.size < 4 else x  # in 16 bits the square overflows early
            dx = tf.cast(dy, wide.dtype) / (pi * pi / 2 * alpha * (wide * wide) + 2 / alpha)
            return tf.cast(dx, x.dtype)

        return tf.cast(x > 0, x.dtype), vjp

    return forward(tf.identity(x))
