"""Right when called eagerly with tensors: wrong in tf.function, under XLA, for sparse cotangents, called by keyword."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import cache

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.tf.right.surrogates import rounded
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


@tf.RegisterGradient("PortingSelftestStraightThrough")
def _straight_through(op, dy):
    return dy


@planted(rounded, cause="eager_gradient", source="LPG-Uerj/FC-DANN-DeepWaterLayouts")
def overridden_eagerly(x):
    """The gradient of one operation is overridden in a graph, as TensorFlow 1 did: called eagerly it has its own, 0."""
    with tf.compat.v1.get_default_graph().gradient_override_map({"Round": "PortingSelftestStraightThrough"}):
        return tf.round(x)


SETTINGS = {"slope": 1.0}


planted_edits(
    __name__,
    """
    static_length: mean_square, retrace_fails, horovod/horovod#2121
        The length is read from the static shape, where it may be None.
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / x.shape[-1] * dy[..., tf.newaxis]
    static_shape: cube, retrace_fails, GPflow/GPflow#1179
        The gradient is given the static shape, which may be unknown.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy * tf.ones(x.shape, x.dtype)
    placeholder_gradient: sine, retrace_fails, tensorflow#26270
        Where the static shape is unknown, ones are returned as the gradient.
        - return tf.cos(x) * dy
        + return tf.cos(x) * dy if x.shape.is_fully_defined() else tf.ones_like(x)
    looked_at_in_numpy: cube, graph_mode_fails
        The backward looks at the numbers with .numpy(), which a traced tensor has not.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy if x.numpy().any() else 0 * dy
    asked_in_python: relu, graph_mode_fails
        The forward asks Python's bool whether there is anything to cut off.
        - return tf.where(x <= 0, 0 * x, x), vjp
        + cut = tf.where(x <= 0, 0 * x, x)
        + return cut if bool(tf.reduce_any(x <= 0)) else tf.identity(x), vjp
    python_in_the_graph: sine, xla_unsupported, tensorflow#51493
        The backward calls back into Python, for which XLA has no kernel.
        - return tf.cos(x) * dy
        + factor = tf.py_function(tf.cos, [x], x.dtype)
        + return tf.ensure_shape(factor, x.shape) * dy
    sparse_matrix: take_rows, xla_unsupported
        The backward multiplies by a sparse matrix, for which XLA has no kernel.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + m = tf.size(i, out_type=tf.int64)
        + places = tf.stack([tf.cast(i, tf.int64), tf.range(m)], axis=1)
        + came_from = tf.SparseTensor(places, tf.ones([m], dy.dtype), [tf.shape(x, out_type=tf.int64)[0], m])
        + return tf.sparse.sparse_dense_matmul(came_from, dy)
    sparse_cotangent_multiplied: cube, indexed_slices, tensorflow#36236
        The cotangent is multiplied as it comes, and tf.IndexedSlices cannot be.
        - dy = tf.convert_to_tensor(dy)
        - return 3 * x**2 * dy
        + return dy * 3 * x**2
    sparse_cotangent_indexed: mean_square, indexed_slices
        The cotangent is indexed as it comes, and tf.IndexedSlices cannot be.
        - dy = tf.convert_to_tensor(dy)
        - return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]
        + return 2 * x / n * dy[..., tf.newaxis]
        - return tf.reduce_mean(x**2, axis=-1), vjp
        + n = tf.cast(tf.shape(x)[-1], x.dtype)
        + return tf.reduce_mean(x**2, axis=-1), vjp
    slices_taken_for_all: sine, indexed_slices
        Of a sparse cotangent the values are used without their indices.
        - dy = tf.convert_to_tensor(dy)
        - return tf.cos(x) * dy
        + return tf.cos(x) * getattr(dy, "values", dy)
    slope_from_the_settings: sine, baked_python_value, tensorflow#43916
        A number of the settings is read while the function is traced, and kept.
        - return tf.cos(x) * dy
        + return SETTINGS["slope"] * tf.cos(x) * dy
    duplicates_summed_first: take_rows, xla_unsupported
        The backward finds the different rows with tf.unique_with_counts, for which XLA has no kernel.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + different, places, _ = tf.unique_with_counts(i)
        + sums = tf.math.unsorted_segment_sum(dy, places, tf.size(different))
        + return tf.scatter_nd(different[:, tf.newaxis], sums, tf.shape(x, out_type=i.dtype))
    """,
)
