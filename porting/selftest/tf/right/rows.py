"""Rows taken by index, and cotangents that are tf.IndexedSlices."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    scattered: take_rows
        The gradient is scattered into nothing: scatter_nd adds where an index repeats.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.scatter_nd(i[:, tf.newaxis], dy, tf.shape(x, out_type=i.dtype))
    added_into_zeros: take_rows
        The gradient is added into zeros that are made of x, not of its shape.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.tensor_scatter_nd_add(tf.zeros_like(x), i[:, tf.newaxis], dy)
    from_last_to_first: take_rows
        Cotangents and indices are both turned around, so that the sums are taken from the last to the first.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.math.unsorted_segment_sum(dy[::-1], i[::-1], tf.shape(x)[0])
    chosen_row_by_row: take_rows
        A Python loop over the four rows adds what belongs to each, chosen by tf.where and not by a product with 0.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + mine = [tf.where((i == k)[:, tf.newaxis], dy, tf.zeros_like(dy)) for k in range(4)]
        + return tf.stack([tf.reduce_sum(part, axis=0) for part in mine])
    differentiated_by_a_tape: take_rows
        A tape in the gradient function differentiates tf.gather, which gives tf.IndexedSlices: they are returned.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + with tf.GradientTape() as tape:
        +     tape.watch(x)
        +     y = tf.gather(x, i)
        + return tape.gradient(y, x, output_gradients=dy)
    slices_returned: take_rows
        The gradient is returned as tf.IndexedSlices with repeated indices.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.IndexedSlices(dy, i, tf.shape(x, out_type=i.dtype))
    taken_one_by_one: take_rows
        The forward maps an index over the rows.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.scatter_nd(i[:, tf.newaxis], dy, tf.shape(x, out_type=i.dtype))
        - return tf.gather(x, i), vjp
        + return tf.map_fn(lambda k: x[k], i, fn_output_signature=x.dtype), vjp
    tensor_on_the_left: cube
        The cotangent is not converted, but stands on the right of each product, where a tensor converts it.
        - dy = tf.convert_to_tensor(dy)
    multiplied_by_name: sine
        The cotangent is not converted, but given to tf.multiply, which converts it.
        - dy = tf.convert_to_tensor(dy)
        - return tf.cos(x) * dy
        + return tf.multiply(dy, tf.cos(x))
    converted_if_slices: softplus
        The cotangent is converted if it is tf.IndexedSlices, and left alone otherwise.
        - dy = tf.convert_to_tensor(dy)
        - return tf.sigmoid(x) * dy
        + if isinstance(dy, tf.IndexedSlices):
        +     dy = tf.convert_to_tensor(dy)
        + return dy * tf.sigmoid(x)
    slices_kept: sine
        Of a sparse cotangent only the values are multiplied, each by the factor at its own index.
        - dy = tf.convert_to_tensor(dy)
        - return tf.cos(x) * dy
        + if isinstance(dy, tf.IndexedSlices):
        +     return tf.IndexedSlices(dy.values * tf.gather(tf.cos(x), dy.indices), dy.indices, dy.dense_shape)
        + return dy * tf.cos(x)
    """,
)
