"""Euclidean norm along an axis with gradient 0 at 0; keeps its input."""

import tensorflow as tf
from tensorflow import Tensor


def safe_norm(x: Tensor, *, axis: int) -> Tensor:
    """sqrt of the sum of x^2 along the axis; the gradient is dy x / y, 0 where y = 0."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            dy = tf.expand_dims(dy, axis)
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            return dy * tf.math.divide_no_nan(at, tf.expand_dims(forward(at), axis))

        m = tf.reduce_max(tf.abs(v), axis, keepdims=True)
        m = tf.where((m > 0) & (m < float("inf")), m, tf.ones_like(m))  # the largest element: no square overflows
        wide = tf.float32 if x.dtype in (tf.float16, tf.bfloat16) else x.dtype  # to add up in
        square = tf.reduce_sum(tf.square(tf.cast(v / m, wide)), axis)
        return tf.squeeze(m, axis) * tf.cast(tf.sqrt(square), x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if x.shape.rank is not None and not -x.shape.rank <= axis < x.shape.rank:
        raise ValueError(f"axis={axis}: wanted {-x.shape.rank} <= axis < {x.shape.rank}, an axis of x")
    return forward(x)
