"""Sparsemax: the Euclidean projection onto the probability simplex."""

import tensorflow as tf
from tensorflow import Tensor


def sparsemax(x: Tensor, *, axis: int = -1) -> Tensor:
    """The point of the probability simplex that is nearest to x, along an axis."""
    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    rank = x.shape.rank
    if rank is not None and (not -rank <= axis < rank or x.shape[axis] == 0):
        raise ValueError(f"axis={axis}: wanted an axis of x {x.shape.as_list()} that is not empty")

    @tf.custom_gradient
    def forward(x: Tensor):
        y = _projected(tf.stop_gradient(x), axis)  # the tape keeps y alone; its support does not vary with x

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            support = tf.sign(y)
            share = support / tf.reduce_sum(support, axis, keepdims=True)
            return support * (dy - tf.reduce_sum(share * dy, axis, keepdims=True))

        return y, vjp

    return forward(x)


def _projected(x: Tensor, axis: int) -> Tensor:
    z = tf.cast(x, tf.float32) if x.dtype.size < 4 else x  # 16 bits lose the sums
    z = z - tf.reduce_max(z, axis, keepdims=True)
    ordered = tf.sort(tf.maximum(z, -1), axis, direction="DESCENDING")  # the threshold is at least -1
    if z.shape.rank is None:  # in a function for any shape
        k = tf.cumsum(tf.ones_like(z), axis)
    else:
        after = z.shape.rank - 1 - axis % z.shape.rank
        k = tf.cast(tf.reshape(tf.range(1, tf.shape(z)[axis] + 1), [-1] + [1] * after), z.dtype)
    tau = tf.reduce_max((tf.cumsum(ordered, axis) - 1) / k, axis, keepdims=True)
    return tf.cast(tf.maximum(z - tau, 0), x.dtype)
