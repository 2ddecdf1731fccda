"""Functions for TensorFlow's tensors around a call of a side; see `porting.backends.backend.Tensors`."""

from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def detached(y: Any) -> Any:
    """Return a tensor that no gradient comes through."""
    return tf.stop_gradient(y)


def is_dense(y: Any) -> bool:
    """Whether it is a tensor, and neither sparse nor ragged: these are no arrays."""
    return tf.is_tensor(y) and not isinstance(y, (tf.SparseTensor, tf.RaggedTensor))


def parted(y: Any) -> Any:
    """Return the real and the imaginary part, in a further axis of two, last."""
    return tf.stack([tf.math.real(y), tf.math.imag(y)], -1)


def symmetrised(x: Any) -> Any:
    """Return the symmetric part of a stack of matrices."""
    return (x + tf.linalg.matrix_transpose(x)) / 2


def signed(y: Any, axis: int) -> Any:
    """Return vectors along an axis, turned to one side of a plane that no vector of simple numbers lies in."""
    if y.shape.rank is None or y.shape.rank < -axis:
        return y
    normal = tf.sin(tf.cast(tf.range(1, tf.shape(y)[axis] + 1), y.dtype))
    along = tf.reduce_sum(tf.stop_gradient(y) * (normal if axis == -1 else normal[:, None]), axis, keepdims=True)
    return tf.where(along < 0, -y, y)


def in_order(x: Any, order: Sequence[int]) -> Any:
    """Return a tensor with its axes in another order; one with another number of axes as it is."""
    return tf.transpose(x, order) if x.shape.rank in {None, len(order)} else x


def in_type(x: Any, dtype: Any) -> Any:
    """Return a real floating tensor in a type, anything else as it is.

    A gradient that is a number of Python comes through, which a tape hands on: that of `tf.cast` alone wants its type.
    """
    if not tf.is_tensor(x) or not tf.as_dtype(x.dtype).is_floating or x.dtype == dtype:
        return x

    @tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
    def cast(x: Any) -> Any:
        return tf.cast(x, dtype), lambda dy: tf.cast(dy, x.dtype)

    return cast(x)


def seed(number: int) -> None:
    """Seed the random numbers."""
    tf.random.set_seed(number)


def switched() -> str:
    """Say that a file has switched eager execution off."""
    if tf.executing_eagerly():
        return ""
    return "an imported file switches eager execution off; its functions are called eagerly all the same"
