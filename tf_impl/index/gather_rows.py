"""Rows of an array by their numbers; a row that is taken twice gets both gradients."""

import tensorflow as tf
from tensorflow import Tensor


def gather_rows(x: Tensor, indices: Tensor) -> Tensor:
    """x[indices] for indices of any shape, from 0 to the number of rows."""

    @tf.custom_gradient
    def forward(x: Tensor):
        count = tf.shape(x)[0]

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            rows = tf.cast(dy, tf.float32) if dy.dtype.size == 2 else dy
            return tf.cast(tf.math.unsorted_segment_sum(rows, indices, count), dy.dtype)

        return tf.gather(x, indices), vjp

    x, indices = tf.identity(x), tf.identity(indices)
    if x.shape.rank == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if indices.dtype not in (tf.int32, tf.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype.name}")
    if tf.executing_eagerly():  # a traced function does not see the numbers
        flat = tf.reshape(indices, [-1])
        outside = (flat < 0) | (flat >= x.shape[0])
        if tf.reduce_any(outside):
            raise ValueError(f"indices={flat[outside][0]}: wanted 0 <= indices < {x.shape[0]}, the rows of x")
    return forward(x)
