"""Logarithm of max(x, eps), with the gradient of the tangent below eps; keeps its input."""

import tensorflow as tf
from tensorflow import Tensor


def safe_log(x: Tensor, *, eps: float) -> Tensor:
    """log(max(x, eps)) of any shape; the gradient is dy / max(x, eps)."""
    if not eps > 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            return dy / tf.maximum(at, eps)

        return tf.math.log(tf.maximum(v, eps)), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
