"""Inverse square root of a symmetric positive definite matrix, the gradient by a Sylvester equation."""

import tensorflow as tf
from tensorflow import Tensor


def matrix_inverse_sqrt(a: Tensor) -> Tensor:
    """Inverse root of the symmetric part of a square matrix or a batch of them; NaN where that is not positive."""
    a = tf.identity(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        raise TypeError(f"a: floating numbers are wanted, got {a.dtype.name}")
    if a.shape.rank is not None and (a.shape.rank < 2 or not a.shape[-1:].is_compatible_with(a.shape[-2:-1])):
        raise ValueError(f"a: wanted square matrices, got shape {a.shape.as_list()}")
    wide = tf.cast(a, tf.float32) if a.dtype.size == 2 else a
    s = 0.5 * tf.stop_gradient(wide + tf.linalg.matrix_transpose(wide))
    usable = tf.reduce_all(tf.math.is_finite(s), axis=[-2, -1])
    # In float32 Eigen's eigenvectors are some 600 roundings off at n = 331; rounded from float64 they are 6.
    exact = tf.cast(tf.where(usable[..., None, None], s, tf.zeros_like(s)), tf.float64)
    w, v = (tf.cast(part, s.dtype) for part in tf.linalg.eigh(exact))
    r = tf.sqrt(tf.where(usable[..., None], w, w + float("nan")))

    @tf.custom_gradient
    def sylvester(a: Tensor, c: Tensor):
        """Return the X with w X + X w = (c + c^T) / 2, where w = v diag(r) v^T."""

        def vjp(dx: Tensor):
            z = sylvester(a, tf.convert_to_tensor(dx))
            w = tf.matmul(z, sylvester(a, c))
            return sylvester(a, -(w + tf.linalg.matrix_transpose(w))), z

        inner = tf.matmul(v, tf.matmul(0.5 * (c + tf.linalg.matrix_transpose(c)), v), transpose_a=True)
        x = tf.matmul(v, tf.matmul(inner / (r[..., :, None] + r[..., None, :]), v, transpose_b=True))
        return x, vjp

    @tf.custom_gradient
    def forward(a: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            y = forward(a)
            return -tf.matmul(y, tf.matmul(sylvester(a, dy), y))

        return tf.matmul(v / r[..., None, :], v, transpose_b=True), vjp

    return tf.cast(forward(wide), a.dtype)
