"""Right when called eagerly with tensors: wrong in tf.function, under XLA, for sparse cotangents, called by keyword."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import cache

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@cache
def counter():
    """Return a variable that counts."""
    with tf.init_scope():
        return tf.Variable(0, trainable=False)


@planted(toys.sine, cause="baked_python_value")
def calls_counted(x):
    """The gradient is averaged over the calls since Python set the counter to 0, which it does only while tracing."""
    with tf.init_scope():
        counter().assign(0)
    calls = tf.cast(tf.identity(counter().assign_add(1)), tf.convert_to_tensor(x).dtype)
    return custom(tf.sin, lambda dy, x: tf.cos(x) * dy / calls, x)


@planted(toys.mean_square, cause="baked_python_value")
def columns_counted(x):
    """The columns are counted in a variable that Python set to 0, which it does only while tracing."""
    x = tf.convert_to_tensor(x)
    with tf.init_scope():
        counter().assign(0)
    n = tf.cast(tf.identity(counter().assign_add(tf.shape(x)[-1])), x.dtype)
    return custom(
        lambda x: tf.reduce_sum(x**2 / n, axis=-1),
        lambda dy, x: 2 * x / n * dy[..., tf.newaxis],
        x,
    )


@planted(toys.mean_square, cause="retrace_fails", source="horovod/horovod#2121")
def static_length(x):
    """The length is read from the static shape, where it may be None."""
    return custom(lambda x: tf.reduce_mean(x**2, -1), lambda dy, x: 2 * x / x.shape[-1] * dy[..., tf.newaxis], x)


@planted(toys.cube, cause="retrace_fails", source="GPflow/GPflow#1179")
def static_shape(x):
    """The gradient is given the static shape, which may be unknown."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * dy * tf.ones(x.shape, x.dtype), x)


@planted(toys.sine, cause="retrace_fails", source="tensorflow#26270")
def placeholder_gradient(x):
    """Where the static shape is unknown, ones are returned as the gradient."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * dy if x.shape.is_fully_defined() else tf.ones_like(x), x)


@planted(toys.cube, cause="graph_mode_fails")
def looked_at_in_numpy(x):
    """The backward looks at the numbers with .numpy(), which a traced tensor has not."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * dy if x.numpy().any() else 0 * dy, x)


@planted(toys.relu, cause="graph_mode_fails")
def asked_in_python(x):
    """The forward asks Python's bool whether there is anything to cut off."""

    def value(x):
        cut = tf.where(x <= 0, 0 * x, x)
        return cut if bool(tf.reduce_any(x <= 0)) else tf.identity(x)

    def vjp(dy, x):
        return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))

    return custom(value, vjp, x)


@planted(toys.sine, cause="xla_unsupported", source="tensorflow#51493")
def python_in_the_graph(x):
    """The backward calls back into Python, for which XLA has no kernel."""

    def vjp(dy, x):
        factor = tf.py_function(tf.cos, [x], x.dtype)
        return tf.ensure_shape(factor, x.shape) * dy

    return custom(tf.sin, vjp, x)


@planted(toys.take_rows, cause="xla_unsupported")
def sparse_matrix(x, i):
    """The backward multiplies by a sparse matrix, for which XLA has no kernel."""

    def vjp(dy, x):
        m = tf.size(i, out_type=tf.int64)
        places = tf.stack([tf.cast(i, tf.int64), tf.range(m)], axis=1)
        came_from = tf.SparseTensor(places, tf.ones([m], dy.dtype), [tf.shape(x, out_type=tf.int64)[0], m])
        return tf.sparse.sparse_dense_matmul(came_from, dy)

    return custom(lambda x: tf.gather(x, i), vjp, x)


@planted(toys.cube, cause="indexed_slices", source="tensorflow#36236")
def sparse_cotangent_multiplied(x):
    """The cotangent is multiplied as it comes, and tf.IndexedSlices cannot be."""

    @tf.custom_gradient
    def forward(x):
        return x**3, lambda dy: dy * 3 * x**2

    return forward(tf.convert_to_tensor(x))


@planted(toys.mean_square, cause="indexed_slices")
def sparse_cotangent_indexed(x):
    """The cotangent is indexed as it comes, and tf.IndexedSlices cannot be."""

    @tf.custom_gradient
    def forward(x):
        n = tf.cast(tf.shape(x)[-1], x.dtype)
        return tf.reduce_mean(x**2, -1), lambda dy: 2 * x / n * dy[..., tf.newaxis]

    return forward(tf.convert_to_tensor(x))


@planted(toys.sine, cause="indexed_slices")
def slices_taken_for_all(x):
    """Of a sparse cotangent the values are used without their indices."""

    @tf.custom_gradient
    def forward(x):
        return tf.sin(x), lambda dy: tf.cos(x) * getattr(dy, "values", dy)

    return forward(tf.convert_to_tensor(x))


@planted(toys.sqrt_or_zero, cause="keyword_call", source="tensorflow#65839")
@tf.custom_gradient
def guard_skipped(x):
    """Called by keyword, TensorFlow differentiates the body instead, which gives NaN from 0 down."""

    def vjp(dy):
        dy = tf.convert_to_tensor(dy)
        return tf.where(x > 0, dy / (2 * tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)))), 0 * dy)

    return tf.where(x > 0, x**0.5, 0 * x), vjp


@planted(toys.sine, cause="keyword_call")
@tf.custom_gradient
def body_without_gradient(x):
    """Called by keyword, TensorFlow differentiates the body instead, which has no gradient."""
    return tf.sin(tf.stop_gradient(x)), lambda dy: tf.cos(x) * tf.convert_to_tensor(dy)


SETTINGS = {"slope": 1.0}


@planted(toys.sine, cause="baked_python_value", source="tensorflow#43916")
def slope_from_the_settings(x):
    """A number of the settings is read while the function is traced, and kept."""
    return custom(tf.sin, lambda dy, x: SETTINGS["slope"] * tf.cos(x) * dy, x)


@planted(toys.take_rows, cause="xla_unsupported")
def duplicates_summed_first(x, i):
    """The backward finds the different rows with tf.unique_with_counts, for which XLA has no kernel."""

    def vjp(dy, x):
        different, places, _ = tf.unique_with_counts(i)
        sums = tf.math.unsorted_segment_sum(dy, places, tf.size(different))
        return tf.scatter_nd(different[:, tf.newaxis], sums, tf.shape(x, out_type=i.dtype))

    return custom(lambda x: tf.gather(x, i), vjp, x)
