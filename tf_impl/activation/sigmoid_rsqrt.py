"""Logistic function times a reciprocal square root."""

from math import log

import tensorflow as tf
from tensorflow import Tensor


def _parts(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return sigmoid(x) and (1 + e^x)^(-1 / 2), without tf.math.rsqrt, which XLA takes long for."""
    wide = tf.cast(x, tf.float32) if x.dtype.size == 2 else x
    u = tf.exp(-0.5 * tf.maximum(wide, -1.9 * log(wide.dtype.max)))  # e^(-x / 2); the sigmoid is 0 there already
    s = 1 / (1 + u * u)
    return s, u * tf.sqrt(tf.maximum(s, 8 / wide.dtype.max))  # where s is 0, too, the root has a derivative


def sigmoid_rsqrt(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            s, r = _parts(at)
            return tf.cast(tf.cast(dy, s.dtype) * r * (s * (1 - 1.5 * s)), x.dtype)

        s, r = _parts(v)
        return tf.cast(s * r, x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
