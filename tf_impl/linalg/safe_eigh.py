"""Eigenvalues and eigenvectors of a symmetric matrix; the gradient is finite where eigenvalues are repeated."""

import tensorflow as tf
from tensorflow import Tensor


def safe_eigh(a: Tensor, *, broadening: float) -> tuple[Tensor, Tensor]:
    """Ascending eigenvalues, and eigenvectors in columns, of the symmetric part of a matrix or a batch of them."""
    if broadening < 0:
        raise ValueError(f"broadening={broadening!r}: wanted a number >= 0")
    a = tf.identity(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        raise TypeError(f"a: floating numbers are wanted, got {a.dtype.name}")
    if a.shape.rank is not None and (a.shape.rank < 2 or not a.shape[-1:].is_compatible_with(a.shape[-2:-1])):
        raise ValueError(f"a: wanted square matrices, got shape {a.shape.as_list()}")
    wide = tf.cast(a, tf.float32) if a.dtype.size == 2 else a
    values, vectors = _decomposed(tf.stop_gradient(wide))

    @tf.custom_gradient
    def forward(a: Tensor):
        def vjp(dw: Tensor, dv: Tensor) -> Tensor:
            dw, dv = tf.convert_to_tensor(dw), tf.convert_to_tensor(dv)  # they may be tf.IndexedSlices
            w, v = forward(a)  # the same numbers, and their derivative is this one
            d = w[..., None, :] - w[..., :, None]
            one = tf.eye(tf.shape(w)[-1], dtype=w.dtype)  # on the diagonal d is 0
            inner = d / (d * d + broadening + one) * tf.matmul(v, dv, transpose_a=True) + dw[..., None] * one
            dx = tf.matmul(v, tf.matmul(inner, v, transpose_b=True))
            return 0.5 * (dx + tf.linalg.matrix_transpose(dx))

        return (values, vectors), vjp

    w, v = forward(wide)
    return tf.cast(w, a.dtype), tf.cast(v, a.dtype)


def _decomposed(a: Tensor) -> tuple[Tensor, Tensor]:
    s = 0.5 * (a + tf.linalg.matrix_transpose(a))
    usable = tf.reduce_all(tf.math.is_finite(s), axis=[-2, -1])[..., None]
    # In float32 Eigen's eigenvectors are some 600 roundings off at n = 331; rounded from float64 they are 6.
    exact = tf.cast(tf.where(usable[..., None], s, tf.zeros_like(s)), tf.float64)
    w, v = (tf.cast(part, s.dtype) for part in tf.linalg.eigh(exact))
    size = tf.abs(v)
    first = tf.argmax(tf.cast(size > 0.55 * tf.reduce_max(size, axis=-2, keepdims=True), tf.int32), axis=-2)
    chosen = tf.linalg.matrix_transpose(tf.one_hot(first, tf.shape(v)[-1], dtype=v.dtype))
    v *= tf.sign(tf.reduce_sum(chosen * v, axis=-2, keepdims=True))
    return tf.where(usable, w, w + float("nan")), tf.where(usable[..., None], v, v + float("nan"))
