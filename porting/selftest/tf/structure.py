"""Gradients of the wrong shape, type or number, none at all; shapes and types that raise; indices; complex numbers."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.scale_columns, cause="missing_reduction", source="pytorch#15223")
def never_summed(x, b):
    """The gradient of b is not summed over the rows that b was broadcast to."""
    return custom(lambda x, b: x * b, lambda dy, x, b: (dy * b, dy * x), x, b)


@planted(toys.scale_columns, cause="missing_reduction")
def summed_as_for_matrices(x, b):
    """The gradient of b is summed over the first axis alone, which is enough for matrices."""

    def vjp(dy, x, b):
        return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.minimum(tf.rank(x) - 1, 1)))

    return custom(lambda x, b: x * b, vjp, x, b)


@planted(toys.cube, cause="wrong_shape")
def flattened(x):
    """The gradient is returned flat."""
    return custom(lambda x: x**3, lambda dy, x: tf.reshape(3 * x**2 * dy, [-1]), x)


@planted(toys.scale_columns, cause="wrong_shape")
def kept_axes(x, b):
    """The sum for b keeps the summed axes, with length 1."""

    def vjp(dy, x, b):
        return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1), keepdims=True)

    return custom(lambda x, b: x * b, vjp, x, b)


@planted(toys.sine, cause="wrong_dtype")
def always_float64(x):
    """The gradient is float64, whatever the input is."""
    return custom(tf.sin, lambda dy, x: tf.cast(tf.cos(x) * dy, tf.float64), x)


@planted(toys.sine, cause="wrong_dtype")
def output_in_float32(x):
    """The output of 16-bit inputs is float32."""

    def value(x):
        return tf.sin(x) if x.dtype.size > 2 else tf.sin(tf.cast(x, tf.float32))

    return custom(value, lambda dy, x: tf.cos(x) * tf.cast(dy, x.dtype), x)


@planted(toys.product, cause="missing_gradient")
def second_taken_for_constant(x1, x2):
    """There is no gradient of x2."""
    return custom(lambda x1, x2: x1 * x2 * x1, lambda dy, x1, x2: (2 * x1 * dy * x2, None), x1, x2)


@planted(toys.matmul, cause="missing_gradient")
def frozen_input(x, w):
    """There is no gradient of x."""
    return custom(tf.matmul, lambda dy, x, w: (None, tf.matmul(x, dy, transpose_a=True)), x, w)


@planted(toys.product, cause="wrong_count", source="huawei-noah/AdderNet#20")
def one_for_two(x1, x2):
    """One gradient is returned for two inputs."""
    return custom(lambda x1, x2: x1 * x2 * x1, lambda dy, x1, x2: 2 * x1 * dy * x2, x1, x2)


@planted(toys.power, cause="wrong_count", source="XPU-Forces/mojo_opset#263")
def one_for_the_static(x, *, exponent=3):
    """A gradient of the static is returned too, as in PyTorch: None."""

    def vjp(dy, x, *, exponent):
        return exponent * x ** (exponent - 1) * dy, None

    return custom(lambda x, *, exponent: x**exponent, vjp, x, exponent=exponent)


@planted(toys.cube, cause="wrong_count", source="tensorflow#26048")
def none_at_all(x):
    """No gradient is returned for one input."""
    return custom(lambda x: x**3, lambda dy, x: [], x)


@planted(toys.sine, cause="empty_crash")
def first_apart_backward(x):
    """The backward splits the first element off, which an empty array has not."""

    def vjp(dy, x):
        first, rest = tf.split(tf.reshape(tf.cos(x) * dy, [-1]), [1, -1])
        return tf.reshape(tf.concat([first, rest], axis=0), tf.shape(x))

    return custom(tf.sin, vjp, x)


@planted(toys.softplus, cause="empty_crash")
def first_apart_forward(x):
    """The forward splits the first element off, which an empty array has not."""

    def value(x):
        first, rest = tf.split(tf.reshape(x, [-1]), [1, -1])
        return tf.reshape(tf.math.softplus(tf.concat([first, rest], axis=0)), tf.shape(x))

    return custom(value, lambda dy, x: tf.sigmoid(x) * dy, x)


@planted(toys.cube, cause="scalar_crash")
def sliced_cotangent(x):
    """The backward slices the first axis, which a single number has not."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * dy[:], x)


@planted(toys.sine, cause="scalar_crash")
def row_by_row(x):
    """The forward takes the rows one by one, and a single number has none."""
    return custom(lambda x: tf.sin(tf.gather(x, tf.range(tf.shape(x)[0]))), lambda dy, x: tf.cos(x) * dy, x)


@planted(toys.take_rows, cause="duplicate_index", source="pytorch#1528")
def last_one_wins(x, i):
    """Of the gradients of a row that was taken twice only the last is kept."""

    def vjp(dy, x):
        return tf.tensor_scatter_nd_update(tf.zeros_like(x), i[:, tf.newaxis], dy)

    return custom(lambda x: tf.gather(x, i), vjp, x)


@planted(toys.take_rows, cause="duplicate_index")
def mean_of_duplicates(x, i):
    """The gradients of a row that was taken twice are averaged."""
    return custom(
        lambda x: tf.gather(x, i),
        lambda dy, x: tf.math.unsorted_segment_mean(dy, i, tf.shape(x)[0]),
        x,
    )


@planted(toys.square, cause="missing_conjugate", source="tensorflow#4859")
def not_conjugated(x):
    """The conjugate is missing; real numbers are right."""
    return custom(lambda x: x * x, lambda dy, x: 2 * x * dy, x)


@planted(toys.square, cause="missing_conjugate")
def wrong_one_conjugated(x):
    """The cotangent is conjugated in place of the input; real numbers are right."""
    return custom(lambda x: x * x, lambda dy, x: 2 * x * tf.math.conj(dy), x)


@planted(toys.sine, cause="wrong_dtype")
def float32_constant(x):
    """The forward multiplies by a float32 constant, which no other type can be multiplied by."""
    return custom(lambda x: tf.constant(1.0) * tf.sin(x), lambda dy, x: tf.cos(x) * dy, x)


@planted(toys.cube, cause="raises_in_forward")
def matrices_only(x):
    """The forward takes the shape apart as that of a matrix."""

    def value(x):
        rows, columns = tf.unstack(tf.shape(x), num=2)
        return tf.reshape(x, [rows, columns]) ** 3

    return custom(value, lambda dy, x: 3 * x**2 * dy, x)


@planted(toys.cube, cause="wrong_dtype")
def float32_three(x):
    """The backward multiplies by a float32 constant, which no other type can be multiplied by."""
    return custom(lambda x: x**3, lambda dy, x: tf.constant(3.0) * x**2 * dy, x)


@planted(toys.sin_cos, cause="raises_in_backward", source="huggingface/transformers#23774")
def one_cotangent_expected(x):
    """The backward takes one cotangent, but there are two outputs."""
    return custom(lambda x: (tf.sin(x), tf.cos(x)), lambda dy, x: tf.cos(x) * dy, x)


@planted(toys.offset, cause="missing_reduction")
def offset_not_summed(x, b):
    """The gradient of what is broadcast is left as large as the output."""
    return custom(tf.add, lambda dy, *_: (dy, dy), x, b)


@planted(toys.offset, cause="missing_reduction")
def front_axes_alone(x, b):
    """The axes in front are summed, and those of length 1 are not."""

    def summed(dy, t):
        return tf.reduce_sum(dy, axis=tf.range(tf.rank(dy) - tf.rank(t)))

    return custom(tf.add, lambda dy, x, b: (summed(dy, x), summed(dy, b)), x, b)


@planted(toys.take_rows, cause="nan_spreads")
def one_hot_product(x, i):
    """The backward multiplies by a matrix of 0 and 1, and 0 times NaN is NaN in every row."""

    def vjp(dy, x):
        return tf.matmul(tf.one_hot(i, tf.shape(x)[0], dtype=dy.dtype), dy, transpose_a=True)

    return custom(lambda x: tf.gather(x, i), vjp, x)
