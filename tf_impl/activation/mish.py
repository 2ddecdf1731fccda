"""Mish, the input times the hyperbolic tangent of its softplus; keeps its input alone."""

import tensorflow as tf
from tensorflow import Tensor


def mish(x: Tensor) -> Tensor:
    """x tanh(log(1 + e^x)) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            at = tf.raw_ops.ClipByValue(t=at, clip_value_min=-1000, clip_value_max=1000)  # further out 1 - t^2 is 0
            s = tf.sigmoid(at)
            square = tf.math.squared_difference(s, 1)  # q^2 where q = 1 - s; tanh(softplus(x)) is t = s (1 + q) / n
            n = 1 + square
            return dy * (s / n * (2 - s + 4 * at * (square / n)))  # t + x s (1 - t^2), and no 1 - t that cancels

        s = tf.sigmoid(v)
        p = s * (2 - s)
        return v * (p / (2 - p)), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
