"""Logarithm of a sum of exponentials along an axis; keeps its input."""

import tensorflow as tf
from tensorflow import Tensor


def logsumexp(x: Tensor, *, axis: int) -> Tensor:
    """Log of the sum of e^x along the axis; the gradient of a row of -inf is 0."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            dy = tf.where(tf.reduce_max(x, axis) == x.dtype.as_numpy_dtype("-inf"), tf.zeros_like(dy), dy)
            at = tf.maximum(x, x.dtype.min)  # a row of -inf has a finite softmax, which the masked dy makes 0
            return tf.expand_dims(dy, axis) * tf.nn.softmax(at, axis)

        wide = tf.float32 if x.dtype in (tf.float16, tf.bfloat16) else x.dtype  # to add up in
        return tf.cast(tf.reduce_logsumexp(tf.cast(v, wide), axis), x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if x.shape.rank is not None and not -x.shape.rank <= axis < x.shape.rank:
        raise ValueError(f"axis={axis}: wanted {-x.shape.rank} <= axis < {x.shape.rank}, an axis of x")
    return forward(x)
