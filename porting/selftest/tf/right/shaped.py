"""Shapes taken apart and put together, sums over broadcast axes, transposed and summed products."""

from porting.selftest.edits import planted_edits

planted_edits(
    __name__,
    """
    flat_and_back: cube
        The gradient is computed flat and put back into the input's shape.
        - return 3 * x**2 * dy
        + flat = 3 * tf.reshape(x, [-1]) ** 2 * tf.reshape(dy, [-1])
        + return tf.reshape(flat, tf.shape(x))
    first_apart: sine
        The first element is taken apart by a slice, which an empty array has too.
        - return tf.cos(x) * dy
        + flat = tf.reshape(tf.cos(x) * dy, [-1])
        + return tf.reshape(tf.concat([flat[:1], flat[1:]], axis=0), tf.shape(x))
    cotangent_with_ellipsis: cube
        The cotangent is indexed with an ellipsis, which a single number can be.
        - return 3 * x**2 * dy
        + return 3 * x[..., tf.newaxis][..., 0] ** 2 * dy[...]
    shape_ensured: sine
        The gradient is held to the static shape, which may be unknown in part.
        - return tf.cos(x) * dy
        + return tf.ensure_shape(tf.cos(x) * dy, x.shape)
    known_length_or_asked: mean_square
        The length is read from the static shape where it is known there, and asked for where it is None.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + n = tf.shape(x)[-1] if x.shape[-1] is None else x.shape[-1]
        + return 2 * x / tf.cast(n, x.dtype) * tf.expand_dims(dy, -1)
    all_over_rows: mean_square
        The length is the number of elements over that of the outputs, and 1 where there are none.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + n = tf.size(x) // tf.maximum(tf.size(dy), 1)
        + return 2 * x / tf.cast(tf.maximum(n, 1), x.dtype) * dy[..., tf.newaxis]
    differentiated_broadcast: offset
        A tape in the gradient function differentiates tf.broadcast_to, which sums as it should.
        - along_x, along_b = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=tf.shape(b))
        - dx = tf.reshape(tf.reduce_sum(dy, along_x), tf.shape(x))
        - return dx, tf.reshape(tf.reduce_sum(dy, along_b), tf.shape(b))
        + def summed(dy, t):
        +     with tf.GradientTape() as tape:
        +         tape.watch(t)
        +         wide = tf.broadcast_to(t, tf.shape(dy))
        +     return tape.gradient(wide, t, output_gradients=dy)
        + return summed(dy, x), summed(dy, b)
    summed_where_padded: offset
        The input's shape is padded with 1 in front, and all axes of length 1 are summed, repeated or not.
        - along_x, along_b = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=tf.shape(b))
        - dx = tf.reshape(tf.reduce_sum(dy, along_x), tf.shape(x))
        - return dx, tf.reshape(tf.reduce_sum(dy, along_b), tf.shape(b))
        + def summed(dy, t):
        +     padded = tf.concat([tf.ones([tf.rank(dy) - tf.rank(t)], tf.int32), tf.shape(t)], axis=0)
        +     axes = tf.reshape(tf.where(padded == 1), [-1])
        +     return tf.reshape(tf.reduce_sum(dy, axis=axes), tf.shape(t))
        + return summed(dy, x), summed(dy, b)
    rows_by_einsum: scale_columns
        The sum over the rows is an einsum of two matrices, whatever the rank was.
        - return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))
        + as_matrix = [tf.size(x) // tf.maximum(tf.size(b), 1), tf.size(b)]
        + return dy * b, tf.einsum("in,in->n", tf.reshape(dy, as_matrix), tf.reshape(x, as_matrix))
    summed_in_two_steps: scale_columns
        The rows are summed with their axes kept, and the axes are dropped afterwards.
        - return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))
        + kept = tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1), keepdims=True)
        + return dy * b, tf.reshape(kept, tf.shape(b))
    written_as_einsum: matmul
        Both gradients are einsums without a transpose.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + return tf.einsum("nk,mk->nm", dy, w), tf.einsum("nm,nk->mk", x, dy)
        - return tf.matmul(x, w), vjp
        + return tf.einsum("nm,mk->nk", x, w), vjp
    transposed_twice: matmul
        Each gradient is the transpose of a product of transposes, in the other order.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + return tf.transpose(tf.matmul(w, tf.transpose(dy))), tf.transpose(tf.matmul(tf.transpose(dy), x))
    outer_products: matmul
        The gradient of w is a sum of outer products, and that of x one of rows: no product of matrices at all.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + by_x = tf.reduce_sum(dy[:, tf.newaxis, :] * w, axis=-1)
        + return by_x, tf.reduce_sum(x[:, :, tf.newaxis] * dy[:, tf.newaxis, :], axis=0)
    adjoints: self_product
        Transposes are written as adjoints, which are the same for real numbers.
        - return tf.matmul(dy, x, transpose_b=True) + tf.matmul(x, dy, transpose_a=True)
        + return tf.matmul(dy, tf.linalg.adjoint(x)) + tf.matmul(x, dy, adjoint_a=True)
        - return tf.matmul(x, x), vjp
        + return tf.linalg.matmul(x, x), vjp
    """,
)
