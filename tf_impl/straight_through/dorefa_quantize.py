"""Quantisation to 2^bits levels between 0 and 1, with the gradient of the clip."""

import tensorflow as tf
from tensorflow import Tensor


def dorefa_quantize(x: Tensor, *, bits: int) -> Tensor:
    """The nearest of 2^bits levels between 0 and 1, of any shape; the gradient is dy there, 0 outside."""
    if bits not in range(1, 33):
        raise ValueError(f"bits={bits}: wanted a whole number from 1 to 32")
    n = 2**bits - 1

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.clip_by_value(tf.stop_gradient(x), 0, 1)  # the tape keeps nothing of the forward
        wide = tf.cast(v, tf.float32) if x.dtype.size < 4 else v  # 16 bits do not hold n x

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy - dy * tf.cast(tf.logical_or(x < 0, x > 1), dy.dtype)

        return tf.cast(tf.round(wide * n) / n, x.dtype), vjp

    return forward(tf.identity(x))
