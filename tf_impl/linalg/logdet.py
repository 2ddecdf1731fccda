"""Logarithm of the absolute value of a determinant."""

import tensorflow as tf
from tensorflow import Tensor


def logdet(a: Tensor) -> Tensor:
    """log |det a| of a square matrix or of each one in a batch."""
    a = tf.identity(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        raise TypeError(f"a: floating numbers are wanted, got {a.dtype.name}")
    if a.shape.rank is not None and (a.shape.rank < 2 or not a.shape[-1:].is_compatible_with(a.shape[-2:-1])):
        raise ValueError(f"a: wanted square matrices, got shape {a.shape.as_list()}")

    @tf.custom_gradient
    def forward(a: Tensor):
        usable = tf.reduce_all(tf.math.is_finite(a), axis=[-2, -1])[..., None, None]
        at = tf.where(usable, a, tf.eye(tf.shape(a)[-1], dtype=a.dtype))

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            inverse = tf.linalg.inv(at, adjoint=True)
            return dy[..., None, None] * tf.where(usable, inverse, inverse + float("nan"))

        _, r = tf.linalg.qr(tf.stop_gradient(at))  # not slogdet, which XLA cannot compile
        y = tf.reduce_sum(tf.math.log(tf.abs(tf.linalg.diag_part(r))), axis=-1)
        return tf.where(usable[..., 0, 0], y, y + float("nan")), vjp

    return tf.cast(forward(tf.cast(a, tf.float32) if a.dtype.size == 2 else a), a.dtype)
