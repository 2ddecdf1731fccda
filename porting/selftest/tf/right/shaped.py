"""Shapes taken apart and put together, sums over broadcast axes, transposed and summed products."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.cube)
def flat_and_back(x):
    """The gradient is computed flat and put back into the input's shape."""

    def vjp(dy, x):
        flat = 3 * tf.reshape(x, [-1]) ** 2 * tf.reshape(dy, [-1])
        return tf.reshape(flat, tf.shape(x))

    return custom(lambda x: x**3, vjp, x)


@right(toys.sine)
def first_apart(x):
    """The first element is taken apart by a slice, which an empty array has too."""

    def vjp(dy, x):
        flat = tf.reshape(tf.cos(x) * dy, [-1])
        return tf.reshape(tf.concat([flat[:1], flat[1:]], axis=0), tf.shape(x))

    return custom(tf.sin, vjp, x)


@right(toys.cube)
def cotangent_with_ellipsis(x):
    """The cotangent is indexed with an ellipsis, which a single number can be."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x[..., tf.newaxis][..., 0] ** 2 * dy[...], x)


@right(toys.sine)
def shape_ensured(x):
    """The gradient is held to the static shape, which may be unknown in part."""
    return custom(tf.sin, lambda dy, x: tf.ensure_shape(tf.cos(x) * dy, x.shape), x)


@right(toys.mean_square)
def known_length_or_asked(x):
    """The length is read from the static shape where it is known there, and asked for where it is None."""

    def vjp(dy, x):
        n = tf.shape(x)[-1] if x.shape[-1] is None else x.shape[-1]
        return 2 * x / tf.cast(n, x.dtype) * tf.expand_dims(dy, -1)

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@right(toys.mean_square)
def all_over_rows(x):
    """The length is the number of elements over that of the outputs, and 1 where there are none."""

    def vjp(dy, x):
        n = tf.size(x) // tf.maximum(tf.size(dy), 1)
        return 2 * x / tf.cast(tf.maximum(n, 1), x.dtype) * dy[..., tf.newaxis]

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@right(toys.offset)
def differentiated_broadcast(x, b):
    """A tape in the gradient function differentiates tf.broadcast_to, which sums as it should."""

    def summed(dy, t):
        with tf.GradientTape() as tape:
            tape.watch(t)
            wide = tf.broadcast_to(t, tf.shape(dy))
        return tape.gradient(wide, t, output_gradients=dy)

    return custom(tf.add, lambda dy, x, b: (summed(dy, x), summed(dy, b)), x, b)


@right(toys.offset)
def summed_where_padded(x, b):
    """The input's shape is padded with 1 in front, and all axes of length 1 are summed, repeated or not."""

    def summed(dy, t):
        padded = tf.concat([tf.ones([tf.rank(dy) - tf.rank(t)], tf.int32), tf.shape(t)], axis=0)
        axes = tf.reshape(tf.where(padded == 1), [-1])
        return tf.reshape(tf.reduce_sum(dy, axis=axes), tf.shape(t))

    return custom(tf.add, lambda dy, x, b: (summed(dy, x), summed(dy, b)), x, b)


@right(toys.scale_columns)
def rows_by_einsum(x, b):
    """The sum over the rows is an einsum of two matrices, whatever the rank was."""

    def vjp(dy, x, b):
        as_matrix = [tf.size(x) // tf.maximum(tf.size(b), 1), tf.size(b)]
        return dy * b, tf.einsum("in,in->n", tf.reshape(dy, as_matrix), tf.reshape(x, as_matrix))

    return custom(lambda x, b: x * b, vjp, x, b)


@right(toys.scale_columns)
def summed_in_two_steps(x, b):
    """The rows are summed with their axes kept, and the axes are dropped afterwards."""

    def vjp(dy, x, b):
        kept = tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1), keepdims=True)
        return dy * b, tf.reshape(kept, tf.shape(b))

    return custom(lambda x, b: x * b, vjp, x, b)


@right(toys.matmul)
def written_as_einsum(x, w):
    """Both gradients are einsums without a transpose."""
    return custom(
        lambda x, w: tf.einsum("nm,mk->nk", x, w),
        lambda dy, x, w: (tf.einsum("nk,mk->nm", dy, w), tf.einsum("nm,nk->mk", x, dy)),
        x,
        w,
    )


@right(toys.matmul)
def transposed_twice(x, w):
    """Each gradient is the transpose of a product of transposes, in the other order."""

    def vjp(dy, x, w):
        return tf.transpose(tf.matmul(w, tf.transpose(dy))), tf.transpose(tf.matmul(tf.transpose(dy), x))

    return custom(tf.matmul, vjp, x, w)


@right(toys.matmul)
def outer_products(x, w):
    """The gradient of w is a sum of outer products, and that of x one of rows: no product of matrices at all."""

    def vjp(dy, x, w):
        by_x = tf.reduce_sum(dy[:, tf.newaxis, :] * w, axis=-1)
        return by_x, tf.reduce_sum(x[:, :, tf.newaxis] * dy[:, tf.newaxis, :], axis=0)

    return custom(tf.matmul, vjp, x, w)


@right(toys.self_product)
def adjoints(x):
    """Transposes are written as adjoints, which are the same for real numbers."""

    def vjp(dy, x):
        return tf.matmul(dy, tf.linalg.adjoint(x)) + tf.matmul(x, dy, adjoint_a=True)

    return custom(lambda x: tf.linalg.matmul(x, x), vjp, x)
