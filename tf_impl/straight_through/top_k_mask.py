"""The k largest in magnitude along an axis, the others 0; the gradient is dense."""

import tensorflow as tf
from tensorflow import Tensor


def top_k_mask(x: Tensor, *, k: int, axis: int = -1) -> Tensor:
    """x among the k largest in magnitude, else 0; of equal ones the first stay. The gradient is dy."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices

        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward
        size = tf.where(tf.math.is_nan(v), tf.cast(float("inf"), v.dtype), tf.abs(v))
        least = _swap(tf.math.top_k(_swap(size, axis), k).values[..., -1:], axis)
        larger, equal = size > least, size == least
        room = k - tf.reduce_sum(tf.cast(larger, tf.int32), axis=axis, keepdims=True)
        first = equal & (tf.cumsum(tf.cast(equal, tf.int32), axis=axis) <= room)
        return tf.where(larger | first, v, 0), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    rank = x.shape.rank
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"axis={axis}: wanted {-rank} <= axis < {rank}, an axis of x")
    length = None if rank is None else x.shape[axis]  # not known in a function for any shape
    if k < 1 or (length is not None and k > length):
        raise ValueError(f"k={k}: wanted 1 <= k <= {length}, the length of axis {axis}")
    return forward(x)


def _swap(x: Tensor, axis: int) -> Tensor:
    """Exchange an axis with the last one, which is where top_k looks."""
    return tf.experimental.numpy.swapaxes(x, axis, -1)
