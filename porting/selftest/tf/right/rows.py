"""Rows taken by index, and cotangents that are tf.IndexedSlices."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


def rows(x, i, vjp):
    """Take rows; ``vjp(dy, x)`` is their gradient."""
    return custom(lambda x: tf.gather(x, i), vjp, x)


@right(toys.take_rows)
def scattered(x, i):
    """The gradient is scattered into nothing: scatter_nd adds where an index repeats."""
    return rows(x, i, lambda dy, x: tf.scatter_nd(i[:, tf.newaxis], dy, tf.shape(x, out_type=i.dtype)))


@right(toys.take_rows)
def added_into_zeros(x, i):
    """The gradient is added into zeros that are made of x, not of its shape."""
    return rows(x, i, lambda dy, x: tf.tensor_scatter_nd_add(tf.zeros_like(x), i[:, tf.newaxis], dy))


@right(toys.take_rows)
def from_last_to_first(x, i):
    """Cotangents and indices are both turned around, so that the sums are taken from the last to the first."""
    return rows(x, i, lambda dy, x: tf.math.unsorted_segment_sum(dy[::-1], i[::-1], tf.shape(x)[0]))


@right(toys.take_rows)
def chosen_row_by_row(x, i):
    """A Python loop over the four rows adds what belongs to each, chosen by tf.where and not by a product with 0."""

    def vjp(dy, x):
        mine = [tf.where((i == k)[:, tf.newaxis], dy, tf.zeros_like(dy)) for k in range(4)]
        return tf.stack([tf.reduce_sum(part, axis=0) for part in mine])

    return rows(x, i, vjp)


@right(toys.take_rows)
def differentiated_by_a_tape(x, i):
    """A tape in the gradient function differentiates tf.gather, which gives tf.IndexedSlices: they are returned."""

    def vjp(dy, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, i)
        return tape.gradient(y, x, output_gradients=dy)

    return rows(x, i, vjp)


@right(toys.take_rows)
def slices_returned(x, i):
    """The gradient is returned as tf.IndexedSlices with repeated indices."""
    return rows(x, i, lambda dy, x: tf.IndexedSlices(dy, i, tf.shape(x, out_type=i.dtype)))


@right(toys.take_rows)
def taken_one_by_one(x, i):
    """The forward maps an index over the rows."""
    return custom(
        lambda x: tf.map_fn(lambda k: x[k], i, fn_output_signature=x.dtype),
        lambda dy, x: tf.scatter_nd(i[:, tf.newaxis], dy, tf.shape(x, out_type=i.dtype)),
        x,
    )


@right(toys.cube)
def tensor_on_the_left(x):
    """The cotangent is not converted, but stands on the right of each product, where a tensor converts it."""

    @tf.custom_gradient
    def forward(x):
        return x**3, lambda dy: 3 * x**2 * dy

    return forward(tf.convert_to_tensor(x))


@right(toys.sine)
def multiplied_by_name(x):
    """The cotangent is not converted, but given to tf.multiply, which converts it."""

    @tf.custom_gradient
    def forward(x):
        return tf.sin(x), lambda dy: tf.multiply(dy, tf.cos(x))

    return forward(tf.convert_to_tensor(x))


@right(toys.softplus)
def converted_if_slices(x):
    """The cotangent is converted if it is tf.IndexedSlices, and left alone otherwise."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            if isinstance(dy, tf.IndexedSlices):
                dy = tf.convert_to_tensor(dy)
            return dy * tf.sigmoid(x)

        return tf.math.softplus(x), vjp

    return forward(tf.convert_to_tensor(x))


@right(toys.sine)
def slices_kept(x):
    """Of a sparse cotangent only the values are multiplied, each by the factor at its own index."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            if isinstance(dy, tf.IndexedSlices):
                return tf.IndexedSlices(dy.values * tf.gather(tf.cos(x), dy.indices), dy.indices, dy.dense_shape)
            return dy * tf.cos(x)

        return tf.sin(x), vjp

    return forward(tf.convert_to_tensor(x))
