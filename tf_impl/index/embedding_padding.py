"""Rows of a table by their numbers, where one row, the padding, is never trained."""

import tensorflow as tf
from tensorflow import Tensor


def embedding_padding(table: Tensor, indices: Tensor, *, padding: int) -> Tensor:
    """table[indices] for indices of any shape; the gradient of the row `padding` is 0."""

    @tf.custom_gradient
    def forward(table: Tensor):
        rows = tf.shape(table)[0]

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            wide = tf.cast(dy, tf.float32) if dy.dtype.size == 2 else dy
            kept = tf.where(indices == padding, tf.cast(-1, indices.dtype), indices)  # -1 is left out of the sum
            return tf.cast(tf.math.unsorted_segment_sum(wide, kept, rows), dy.dtype)

        return tf.gather(tf.stop_gradient(table), indices), vjp  # forward mode would differentiate the table itself

    table, indices = tf.identity(table), tf.identity(indices)
    if table.shape.rank not in (None, 2):
        raise ValueError(f"table of shape {list(table.shape)}: wanted two axes")
    rows = table.shape[0]  # None in a function for any shape
    if padding < 0 or (rows is not None and padding >= rows):
        raise ValueError(f"padding={padding}: wanted 0 <= padding < {rows}, the rows of the table")
    if indices.dtype not in (tf.int32, tf.int64):
        raise TypeError(f"indices: int32 or int64 is wanted, got {indices.dtype.name}")
    if tf.executing_eagerly():  # a traced function does not see the numbers
        flat = tf.reshape(indices, [-1])
        outside = (flat < 0) | (flat >= rows)
        if tf.reduce_any(outside):
            raise ValueError(f"indices={flat[outside][0]}: wanted 0 <= indices < {rows}, the rows of the table")
    return forward(table)
