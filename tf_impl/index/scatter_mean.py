"""Mean of the rows that share an index; 0 for an index that no row has."""

import tensorflow as tf
from tensorflow import Tensor


def scatter_mean(x: Tensor, indices: Tensor, *, size: int) -> Tensor:
    """Mean over the rows of x with each index from 0 to size - 1; indices has one number for each row."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            wide = _wide(dy)
            return tf.cast(tf.gather(wide / _counts(wide, indices, size), indices), dy.dtype)

        rows = _wide(tf.stop_gradient(x))  # the tape keeps nothing of the forward
        shares = rows / tf.gather(_counts(rows, indices, size), indices)  # the sum alone might overflow
        return tf.cast(tf.math.unsorted_segment_sum(shares, indices, size), x.dtype), vjp

    x, indices = tf.identity(x), tf.identity(indices)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if size < 0:
        raise ValueError(f"size={size}: wanted size >= 0")
    if indices.dtype not in (tf.int32, tf.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype.name}")
    if indices.shape.rank not in (None, 1) or not indices.shape.is_compatible_with(x.shape[:1]):
        raise ValueError(f"indices of shape {list(indices.shape)}: wanted {list(x.shape[:1])}, one for each row of x")
    if tf.executing_eagerly():  # a traced function does not see the numbers
        outside = (indices < 0) | (indices >= size)
        if tf.reduce_any(outside):
            raise ValueError(f"indices={indices[outside][0]}: wanted 0 <= indices < {size}, the size")
    return forward(x)


def _wide(rows: Tensor) -> Tensor:
    return tf.cast(rows, tf.float32) if rows.dtype.size == 2 else rows


def _counts(rows: Tensor, indices: Tensor, size: int) -> Tensor:
    """Return the number of rows in each segment, at least 1, with an axis for each axis of the rows."""
    counts = tf.maximum(tf.math.unsorted_segment_sum(tf.ones_like(indices), indices, size), 1)
    axes = tf.concat([[size], tf.ones([tf.rank(rows) - 1], tf.int32)], axis=0)
    return tf.cast(tf.reshape(counts, axes), rows.dtype)
