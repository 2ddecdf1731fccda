"""Exponential whose gradient stops growing at a limit; keeps its input."""

import tensorflow as tf
from tensorflow import Tensor


def trunc_exp(x: Tensor, *, limit: float = 15.0) -> Tensor:
    """e^x of any shape; the gradient is dy e^min(x, limit)."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            wide = tf.float32 if x.dtype == tf.float16 else x.dtype  # e^15 overflows in float16
            dx = tf.cast(dy, wide) * tf.exp(tf.cast(tf.minimum(x, limit), wide))
            return tf.cast(dx, x.dtype)

        return tf.exp(v), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
