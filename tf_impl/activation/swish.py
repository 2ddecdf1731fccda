"""Swish, which is SiLU where beta is 1; keeps its input alone."""

import tensorflow as tf
from tensorflow import Tensor


def swish(x: Tensor, *, beta: float = 1.0) -> Tensor:
    """x sigmoid(beta x) of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            z = at if beta == 1 else beta * at
            z = tf.raw_ops.ClipByValue(t=z, clip_value_min=-1000, clip_value_max=1000)  # further out s (1 - s) is 0
            s = tf.sigmoid(z)
            return dy * (s + tf.raw_ops.SigmoidGrad(y=s, dy=z))  # z s (1 - s)

        return v * tf.sigmoid(v if beta == 1 else beta * v), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
