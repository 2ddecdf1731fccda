"""Compositions and built-ins of the family index for the benchmark, in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def segment_means(x: Tensor, indices: Tensor, *, size: int) -> Tensor:
    """Divide sums by counts."""
    sums = tf.math.unsorted_segment_sum(x, indices, size)
    counts = tf.math.unsorted_segment_sum(tf.ones_like(indices, x.dtype), indices, size)
    return tf.math.divide_no_nan(sums, tf.reshape(counts, [size] + [1] * (x.shape.rank - 1)))


def masked_look_up(table: Tensor, indices: Tensor, *, padding: int) -> Tensor:
    """Look up in a table whose padding row is a constant."""
    constant = tf.range(tf.shape(table)[0])[:, tf.newaxis] == padding
    return tf.gather(tf.where(constant, tf.stop_gradient(table), table), indices)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "embedding_padding": masked_look_up,
    "scatter_mean": segment_means,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "gather_rows": tf.gather,
    "scatter_mean": lambda x, indices, *, size: tf.math.unsorted_segment_mean(x, indices, size),
}
