"""Entmax with alpha = 1.5: between softmax and sparsemax."""

import tensorflow as tf
from tensorflow import Tensor


def entmax15(x: Tensor, *, axis: int = -1) -> Tensor:
    """Probabilities along an axis, those of small x exactly 0."""
    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    rank = x.shape.rank
    if rank is not None and (not -rank <= axis < rank or x.shape[axis] == 0):
        raise ValueError(f"axis={axis}: wanted an axis of x {x.shape.as_list()} that is not empty")

    @tf.custom_gradient
    def known(x: Tensor, y: Tensor):
        """y, which is known, as the function of x that it is: the tape keeps nothing of how it was found."""

        def vjp(dy: Tensor) -> tuple[Tensor, None]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            p = known(x, y)  # as a function of x once more, for the second derivative
            s = tf.sqrt(tf.where(p > 0, p, 1)) * tf.sign(p)  # the root of 0 has none
            share = s / tf.reduce_sum(s, axis, keepdims=True)
            return s * (dy - tf.reduce_sum(share * dy, axis, keepdims=True)), None

        return tf.identity(y), vjp

    return known(x, _probabilities(tf.stop_gradient(x), axis))


def _probabilities(x: Tensor, axis: int) -> Tensor:
    z = (tf.cast(x, tf.float32) if x.dtype.size < 4 else x) / 2  # 16 bits lose the sums
    z = z - tf.reduce_max(z, axis, keepdims=True)
    ordered = tf.sort(tf.maximum(z, -1), axis, direction="DESCENDING")  # the threshold is at least -1
    if z.shape.rank is None:  # in a function for any shape
        k = tf.cumsum(tf.ones_like(z), axis)
    else:
        after = z.shape.rank - 1 - axis % z.shape.rank
        k = tf.cast(tf.reshape(tf.range(1, tf.shape(z)[axis] + 1), [-1] + [1] * after), z.dtype)
    mean = tf.cumsum(ordered, axis) / k
    left = (1 - tf.cumsum(ordered * ordered, axis)) / k + mean * mean
    tau = tf.reduce_max(tf.minimum(mean - tf.sqrt(tf.maximum(left, 0)), ordered), axis, keepdims=True)
    s = tf.maximum(z - tau, 0)
    missing = tf.reduce_sum(s * s, axis, keepdims=True) - 1
    s = tf.maximum(z - (tau + missing / (2 * tf.reduce_sum(s, axis, keepdims=True))), 0)  # a step of Newton's
    return tf.cast(s * s, x.dtype)
