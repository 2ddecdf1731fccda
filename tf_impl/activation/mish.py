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
            at = tf.clip_by_value(at, -1000, 1000)  # further out 1 - t^2 is 0
            s = tf.sigmoid(at)
            p = s * (2 - s)
            t = p / (2 - p)  # tanh(softplus(x))
            return dy * (t + tf.raw_ops.TanhGrad(y=t, dy=at * s))  # x s (1 - t^2)

        s = tf.sigmoid(v)
        p = s * (2 - s)
        return v * (p / (2 - p)), vjp

    return forward(tf.convert_to_tensor(x))
