"""Solution of a system of linear equations."""

import tensorflow as tf
from tensorflow import Tensor


def solve(a: Tensor, b: Tensor) -> Tensor:
    """The y with a y = b, for a square matrix or a batch of them and as many b of one or more columns."""
    a, b = tf.identity(a), tf.identity(b)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        raise TypeError(f"a: floating numbers are wanted, got {a.dtype.name}")
    if a.shape.rank is not None and (a.shape.rank < 2 or not a.shape[-1:].is_compatible_with(a.shape[-2:-1])):
        raise ValueError(f"a: wanted square matrices, got shape {a.shape.as_list()}")
    if a.shape.rank is not None and not b.shape.is_compatible_with([*a.shape[:-1], None]):
        raise ValueError(f"b: wanted shape {[*a.shape[:-1], 'k']}, got {b.shape.as_list()}")

    @tf.custom_gradient
    def forward(a: Tensor, b: Tensor):
        usable = tf.reduce_all(tf.math.is_finite(a), axis=[-2, -1])[..., None, None]
        at = tf.where(usable, a, tf.eye(tf.shape(a)[-1], dtype=a.dtype))

        def solved(b: Tensor, *, adjoint: bool) -> Tensor:
            y = tf.linalg.solve(at, b, adjoint=adjoint)
            return tf.where(usable, y, y + float("nan"))

        y = solved(b, adjoint=False)

        def vjp(dy: Tensor):
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            db = solved(dy, adjoint=True)
            return -tf.matmul(db, y, transpose_b=True), db

        return y, vjp

    wide = tf.float32 if a.dtype.size == 2 else a.dtype
    return tf.cast(forward(tf.cast(a, wide), tf.cast(b, wide)), a.dtype)
