"""The cotangent ignored, bent, averaged, or taken from another row."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.mean_square, cause="ignores_cotangent", source="chainer/chainer#1175")
def loss_must_come_last(x):
    """The cotangent is ignored: the loss is taken to be the last function."""

    def vjp(dy, x):
        return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype)

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.cube, cause="ignores_cotangent", source="ashawkey/stable-dreamfusion#158")
def cotangent_of_ones(x):
    """A cotangent of ones is used, whatever comes in."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * tf.ones_like(dy), x)


@planted(toys.cube, cause="not_linear")
def clipped(x):
    """The cotangent is clipped to [-1, 1], lest the gradient explode."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * tf.clip_by_value(dy, -1, 1), x)


@planted(toys.sine, cause="not_linear")
def clipped_by_norm(x):
    """The cotangent is scaled down to norm 1 if it is longer."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * tf.clip_by_norm(dy, 1), x)


@planted(toys.sine, cause="not_linear")
def sign_only(x):
    """Of the cotangent only the sign is used."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * tf.sign(dy), x)


@planted(toys.softplus, cause="not_linear")
def squared_with_sign(x):
    """The cotangent enters as dy |dy|."""
    return custom(tf.math.softplus, lambda dy, x: tf.sigmoid(x) * dy * tf.abs(dy), x)


@planted(toys.sine, cause="not_linear")
def weight_decay(x):
    """The gradient of a penalty, x / 10, is added to what the cotangent gives."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * dy + x / 10, x)


@planted(toys.sin_cos, cause="ignores_one_cotangent")
def second_output_unused(x):
    """The cotangent of the second output is not used."""
    return custom(lambda x: (tf.sin(x), tf.cos(x)), lambda dy0, dy1, x: tf.cos(x) * dy0, x)


@planted(toys.sin_cos, cause="ignores_one_cotangent")
def first_output_unused(x):
    """The cotangent of the first output is not used."""
    return custom(lambda x: (tf.sin(x), tf.cos(x)), lambda dy0, dy1, x: -tf.sin(x) * dy1, x)


@planted(toys.cube, cause="assumes_equal_cotangents")
def mean_cotangent(x):
    """Every element gets the mean of the cotangent."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * tf.reduce_mean(dy), x)


@planted(toys.sine, cause="assumes_equal_cotangents")
def first_cotangent(x):
    """Every element gets the first element of the cotangent."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * tf.reduce_sum(tf.reshape(dy, [-1])[:1]), x)


@planted(toys.mean_square, cause="assumes_equal_cotangents")
def summed_cotangent(x):
    """Every row gets the sum of the cotangent, as if the output were one number."""

    def vjp(dy, x):
        return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * tf.reduce_sum(dy)

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.mean_square, cause="mixes_batch")
def one_row_off(x):
    """Each row gets the cotangent of the row before it."""

    def vjp(dy, x):
        dy = tf.reshape(tf.roll(tf.reshape(dy, [-1]), 1, axis=0), tf.shape(dy))
        return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.softmax, cause="mixes_batch")
def mean_over_the_batch(x):
    """The sum that is subtracted in each row is the mean of those of all rows."""

    def vjp(dy, x):
        y = tf.nn.softmax(x)
        return y * (dy - tf.reduce_mean(tf.reduce_sum(dy * y, axis=-1)))

    return custom(tf.nn.softmax, vjp, x)


@planted(toys.cube, cause="assumes_equal_cotangents")
def mean_of_the_row(x):
    """Every element gets the mean of its row's cotangents."""

    def vjp(dy, x):
        last = tf.range(tf.maximum(tf.rank(x) - 1, 0), tf.rank(x))
        return 3 * x**2 * tf.reduce_mean(dy, axis=last, keepdims=True)

    return custom(lambda x: x**3, vjp, x)
