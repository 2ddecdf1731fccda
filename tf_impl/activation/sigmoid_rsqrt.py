"""Logistic function times a reciprocal square root."""

from math import log

import tensorflow as tf
from tensorflow import Tensor


def _roots(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return e^(-x / 2) and sigmoid(x)^(1 / 2), of which neither overflows."""
    wide = tf.cast(x, tf.float32) if x.dtype.size == 2 else x
    u = tf.exp(-0.5 * tf.maximum(wide, -1.9 * log(wide.dtype.max)))  # the sigmoid is 0 there already
    return u, tf.math.rsqrt(1 + u * u)


def sigmoid_rsqrt(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            u, q = _roots(at)
            s = q * q
            return tf.cast(tf.cast(dy, s.dtype) * (u * q) * (s * (1 - 1.5 * s)), x.dtype)

        u, q = _roots(v)
        return tf.cast(u * q * q * q, x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
