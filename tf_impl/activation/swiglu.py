"""Swish-gated linear unit of two inputs; keeps both."""

import tensorflow as tf
from tensorflow import Tensor


def swiglu(x1: Tensor, x2: Tensor) -> Tensor:
    """x1 sigmoid(x1) x2, both of one shape."""

    @tf.custom_gradient
    def forward(x1: Tensor, x2: Tensor):
        v1, v2 = tf.stop_gradient(x1), tf.stop_gradient(x2)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x1 if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x1)
            z = tf.raw_ops.ClipByValue(t=at, clip_value_min=-1000, clip_value_max=1000)  # further out s (1 - s) is 0
            s = tf.sigmoid(z)
            return dy * (s + tf.raw_ops.SigmoidGrad(y=s, dy=z)) * x2, dy * (at * s)  # z s (1 - s)

        return v1 * tf.sigmoid(v1) * v2, vjp

    x1, x2 = tf.identity(x1), tf.identity(x2)
    if not (x1.dtype.is_floating or x1.dtype.is_complex):
        raise TypeError(f"x1: floating numbers are wanted, got {x1.dtype.name}")
    if not x1.shape.is_compatible_with(x2.shape):
        raise ValueError(f"x1 {x1.shape.as_list()}, x2 {x2.shape.as_list()}: wanted one shape")
    return forward(x1, x2)
