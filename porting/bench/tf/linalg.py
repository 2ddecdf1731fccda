"""Compositions and built-ins of the family linalg for the benchmark, in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def _symmetric(a: Any) -> Any:
    return (a + tf.linalg.matrix_transpose(a)) / 2


def _matrix_sqrt(a: Any) -> Any:
    w, v = tf.linalg.eigh(_symmetric(a))
    return tf.matmul(v * tf.sqrt(w)[..., None, :], v, transpose_b=True)


def _matrix_inverse_sqrt(a: Any) -> Any:
    w, v = tf.linalg.eigh(_symmetric(a))
    return tf.matmul(v * tf.math.rsqrt(w)[..., None, :], v, transpose_b=True)


def _safe_eigh(a: Any, **_: float) -> Any:
    w, v = tf.linalg.eigh(_symmetric(a))
    size = tf.abs(v)
    first = tf.argmax(tf.cast(size > 0.55 * tf.reduce_max(size, axis=-2, keepdims=True), tf.int32), axis=-2)
    chosen = tf.linalg.matrix_transpose(tf.one_hot(first, tf.shape(v)[-1], dtype=v.dtype))
    return w, v * tf.sign(tf.reduce_sum(chosen * v, axis=-2, keepdims=True))


COMPOSITION: dict[str, Callable[..., Any]] = {
    "matrix_inverse_sqrt": _matrix_inverse_sqrt,
    "matrix_sqrt": _matrix_sqrt,
    "safe_eigh": _safe_eigh,
    "solve": lambda a, b: tf.matmul(tf.linalg.inv(a), b),
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "logdet": lambda a: tf.linalg.slogdet(a).log_abs_determinant,
    "solve": tf.linalg.solve,
}
