"""Gradients of the wrong shape, type or number, none at all; shapes and types that raise; indices; complex numbers."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.sin_cos, cause="raises_in_backward", source="huggingface/transformers#23774")
def one_cotangent_expected(x):
    """The backward takes one cotangent, but there are two outputs."""
    return custom(lambda x: (tf.sin(x), tf.cos(x)), lambda dy, x: tf.cos(x) * dy, x)


@planted(toys.offset, cause="missing_reduction")
def offset_not_summed(x, b):
    """The gradient of what is broadcast is left as large as the output."""
    return custom(tf.add, lambda dy, *_: (dy, dy), x, b)


planted_edits(
    __name__,
    """
    never_summed: scale_columns, missing_reduction, pytorch#15223
        The gradient of b is not summed over the rows that b was broadcast to.
        - return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))
        + return dy * b, dy * x
    summed_as_for_matrices: scale_columns, missing_reduction
        The gradient of b is summed over the first axis alone, which is enough for matrices.
        - return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))
        + return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.minimum(tf.rank(x) - 1, 1)))
    flattened: cube, wrong_shape
        The gradient is returned flat.
        - return 3 * x**2 * dy
        + return tf.reshape(3 * x**2 * dy, [-1])
    kept_axes: scale_columns, wrong_shape
        The sum for b keeps the summed axes, with length 1.
        - return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))
        + return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1), keepdims=True)
    always_float64: sine, wrong_dtype
        The gradient is float64, whatever the input is.
        - return tf.cos(x) * dy
        + return tf.cast(tf.cos(x) * dy, tf.float64)
    output_in_float32: sine, wrong_dtype
        The output of 16-bit inputs is float32.
        - return tf.cos(x) * dy
        + return tf.cos(x) * tf.cast(dy, x.dtype)
        - return tf.sin(x), vjp
        + return tf.sin(x) if x.dtype.size > 2 else tf.sin(tf.cast(x, tf.float32)), vjp
    second_taken_for_constant: product, missing_gradient
        There is no gradient of x2.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, None
    frozen_input: matmul, missing_gradient
        There is no gradient of x.
        - return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)
        + return None, tf.matmul(x, dy, transpose_a=True)
    one_for_two: product, wrong_count, huawei-noah/AdderNet#20
        One gradient is returned for two inputs.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2
    one_for_the_static: power, wrong_count, XPU-Forces/mojo_opset#263
        A gradient of the static is returned too, as in PyTorch: None.
        - return exponent * x ** (exponent - 1) * dy
        + return exponent * x ** (exponent - 1) * dy, None
    none_at_all: cube, wrong_count, tensorflow#26048
        No gradient is returned for one input.
        - return 3 * x**2 * dy
        + return []
    first_apart_backward: sine, empty_crash
        The backward splits the first element off, which an empty array has not.
        - return tf.cos(x) * dy
        + first, rest = tf.split(tf.reshape(tf.cos(x) * dy, [-1]), [1, -1])
        + return tf.reshape(tf.concat([first, rest], axis=0), tf.shape(x))
    first_apart_forward: softplus, empty_crash
        The forward splits the first element off, which an empty array has not.
        - return tf.math.softplus(x), vjp
        + first, rest = tf.split(tf.reshape(x, [-1]), [1, -1])
        + return tf.reshape(tf.math.softplus(tf.concat([first, rest], axis=0)), tf.shape(x)), vjp
    sliced_cotangent: cube, scalar_crash
        The backward slices the first axis, which a single number has not.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy[:]
    row_by_row: sine, scalar_crash
        The forward takes the rows one by one, and a single number has none.
        - return tf.sin(x), vjp
        + return tf.sin(tf.gather(x, tf.range(tf.shape(x)[0]))), vjp
    last_one_wins: take_rows, duplicate_index, pytorch#1528
        Of the gradients of a row that was taken twice only the last is kept.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.tensor_scatter_nd_update(tf.zeros_like(x), i[:, tf.newaxis], dy)
    mean_of_duplicates: take_rows, duplicate_index
        The gradients of a row that was taken twice are averaged.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.math.unsorted_segment_mean(dy, i, tf.shape(x)[0])
    not_conjugated: square, missing_conjugate, tensorflow#4859
        The conjugate is missing; real numbers are right.
        - return 2 * tf.math.conj(x) * dy
        + return 2 * x * dy
    wrong_one_conjugated: square, missing_conjugate
        The cotangent is conjugated in place of the input; real numbers are right.
        - return 2 * tf.math.conj(x) * dy
        + return 2 * x * tf.math.conj(dy)
    float32_constant: sine, wrong_dtype
        The forward multiplies by a float32 constant, which no other type can be multiplied by.
        - return tf.sin(x), vjp
        + return tf.constant(1.0) * tf.sin(x), vjp
    matrices_only: cube, raises_in_forward
        The forward takes the shape apart as that of a matrix.
        - return x**3, vjp
        + rows, columns = tf.unstack(tf.shape(x), num=2)
        + return tf.reshape(x, [rows, columns]) ** 3, vjp
    float32_three: cube, wrong_dtype
        The backward multiplies by a float32 constant, which no other type can be multiplied by.
        - return 3 * x**2 * dy
        + return tf.constant(3.0) * x**2 * dy
    front_axes_alone: offset, missing_reduction
        The axes in front are summed, and those of length 1 are not.
        - along_x, along_b = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=tf.shape(b))
        - dx = tf.reshape(tf.reduce_sum(dy, along_x), tf.shape(x))
        - return dx, tf.reshape(tf.reduce_sum(dy, along_b), tf.shape(b))
        + def summed(dy, t):
        +     return tf.reduce_sum(dy, axis=tf.range(tf.rank(dy) - tf.rank(t)))
        + return summed(dy, x), summed(dy, b)
    one_hot_product: take_rows, nan_spreads
        The backward multiplies by a matrix of 0 and 1, and 0 times NaN is NaN in every row.
        - return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])
        + return tf.matmul(tf.one_hot(i, tf.shape(x)[0], dtype=dy.dtype), dy, transpose_a=True)
    """,
)
