"""Formulas that are wrong: signs, factors, inner derivatives, axes, another function's gradient, the value itself."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.sine, cause="wrong_sign")
def minus_cosine(x):
    """The gradient has the wrong sign."""
    return custom(tf.sin, lambda dy, x: -tf.cos(x) * dy, x)


@planted(toys.product, cause="wrong_sign")
def minus_second(x1, x2):
    """The gradient of x2 has the wrong sign."""
    return custom(lambda x1, x2: x1 * x2 * x1, lambda dy, x1, x2: (2 * x1 * dy * x2, -x1 * dy * x1), x1, x2)


@planted(toys.cube, cause="constant_factor")
def forgotten_exponent(x):
    """The exponent does not come down: x^2 where 3 x^2 is meant."""
    return custom(lambda x: x**3, lambda dy, x: x**2 * dy, x)


@planted(toys.sine, cause="constant_factor")
def averaged_twice(x):
    """The gradient is divided by the number of elements, which the loss does already."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * dy / tf.cast(tf.size(x), x.dtype), x)


@planted(toys.mean_square, cause="constant_factor")
def never_averaged(x):
    """The gradient is that of the sum, n times too large."""
    return custom(lambda x: tf.reduce_mean(x**2, -1), lambda dy, x: 2 * x * dy[..., tf.newaxis], x)


@planted(toys.matmul, cause="constant_factor")
def doubled_weights(x, w):
    """The gradient of w is counted twice."""

    def vjp(dy, x, w):
        return tf.matmul(dy, w, transpose_b=True), 2 * tf.matmul(x, dy, transpose_a=True)

    return custom(tf.matmul, vjp, x, w)


@planted(toys.softplus, cause="constant_factor")
def mistyped_constant(x):
    """The gradient is a thousandth too large."""
    return custom(tf.math.softplus, lambda dy, x: 1.001 * tf.sigmoid(x) * dy, x)


@planted(toys.softplus, cause="missing_inner_derivative")
def only_of_the_logarithm(x):
    """The derivative of log(u), u = 1 + exp(x), without that of u."""
    return custom(tf.math.softplus, lambda dy, x: tf.sigmoid(-x) * dy, x)


@planted(toys.sigmoid, cause="missing_inner_derivative")
def only_of_the_exponential(x):
    """The derivative of exp(u), u = -log(1 + exp(-x)), without that of u."""
    return custom(tf.sigmoid, lambda dy, x: tf.sigmoid(x) * dy, x)


@planted(toys.mean_square, cause="missing_inner_derivative")
def only_of_the_mean(x):
    """The derivative of the mean, without that of the square in it."""

    def vjp(dy, x):
        return tf.ones_like(x) / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.self_product, cause="transposed")
def transposed_product(x):
    """The gradient comes out transposed."""

    def vjp(dy, x):
        return tf.transpose(tf.matmul(dy, x, transpose_b=True) + tf.matmul(x, dy, transpose_a=True))

    return custom(lambda x: tf.matmul(x, x), vjp, x)


@planted(toys.product, cause="swapped_gradients")
def swapped_factors(x1, x2):
    """The two gradients are returned in the wrong order."""
    return custom(lambda x1, x2: x1 * x2 * x1, lambda dy, x1, x2: (x1 * dy * x1, 2 * x1 * dy * x2), x1, x2)


@planted(toys.maximum, cause="swapped_gradients")
def gradient_to_the_smaller(x1, x2):
    """The gradient goes to the smaller of the two."""

    def vjp(dy, x1, x2):
        to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
        return dy * (1 - to_first), dy * to_first

    return custom(lambda x1, x2: tf.where(x1 > x2, x1, x2), vjp, x1, x2)


@planted(toys.softmax, cause="wrong_axis")
def sum_over_the_rows(x):
    """The sum in the gradient goes over the first axis."""

    def vjp(dy, x):
        y = tf.nn.softmax(x)
        return y * (dy - tf.reduce_sum(dy * y, axis=0, keepdims=True))

    return custom(tf.nn.softmax, vjp, x)


@planted(toys.softmax, cause="wrong_axis")
def recomputed_over_the_rows(x):
    """The output is computed again for the gradient, over the first axis."""

    def vjp(dy, x):
        y = tf.nn.softmax(x, axis=0)
        return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))

    return custom(tf.nn.softmax, vjp, x)


@planted(toys.cube, cause="forward_gradient_disagree", source="huggingface/transformers#23774")
def gradient_of_an_older_forward(x):
    """The forward was x^4 once, and the gradient has stayed."""
    return custom(lambda x: x**3, lambda dy, x: 4 * x**3 * dy, x)


@planted(toys.sigmoid, cause="forward_gradient_disagree")
def gradient_of_tanh(x):
    """The gradient is that of tanh."""
    return custom(tf.sigmoid, lambda dy, x: (1 - tf.tanh(x)) * (1 + tf.tanh(x)) * dy, x)


@planted(toys.sin_cos, cause="wrong_value")
def outputs_swapped(x):
    """The cosine is returned first; the gradient is right for the right order."""
    return custom(lambda x: (tf.cos(x), tf.sin(x)), lambda dy0, dy1, x: tf.cos(x) * dy0 - tf.sin(x) * dy1, x)


@planted(toys.relu, cause="wrong_value")
def leaky_forward(x):
    """The value leaks for negative x, the gradient does not."""

    def vjp(dy, x):
        return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))

    return custom(lambda x: tf.where(x <= 0, 0.01 * x, x), vjp, x)


@planted(toys.sigmoid, cause="wrong_value")
def hard_forward(x):
    """The value is a piecewise linear approximation."""
    return custom(lambda x: tf.clip_by_value(x / 6 + 0.5, 0, 1), lambda dy, x: tf.sigmoid(x) * tf.sigmoid(-x) * dy, x)


@planted(toys.softmax, cause="forward_gradient_disagree")
def diagonal_alone(x):
    """The gradient is y (1 - y), that of a sigmoid: the other elements of the row are missing."""

    def vjp(dy, x):
        y = tf.nn.softmax(x)
        return y * (1 - y) * dy

    return custom(tf.nn.softmax, vjp, x)


@planted(toys.sigmoid, cause="forward_gradient_disagree")
def gradient_of_softmax(x):
    """The gradient is that of a softmax over the last axis, whose elements depend on each other."""

    def vjp(dy, x):
        last = tf.range(tf.maximum(tf.rank(x) - 1, 0), tf.rank(x))
        y = tf.sigmoid(x)
        return y * (dy - tf.reduce_sum(dy * y, axis=last, keepdims=True))

    return custom(tf.sigmoid, vjp, x)


@planted(toys.mean_square, cause="wrong_axis")
def length_of_the_first_axis(x):
    """The sum is divided by the length of the first axis, the number of rows."""

    def vjp(dy, x):
        return 2 * x / tf.cast(tf.shape(x)[0], x.dtype) * dy[..., tf.newaxis]

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.mean_square, cause="constant_factor")
def averaged_over_all_axes(x):
    """The gradient is that of a mean over all axes, divided by the number of elements."""

    def vjp(dy, x):
        return 2 * x / tf.cast(tf.size(x), x.dtype) * dy[..., tf.newaxis]

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


@planted(toys.sqrt_or_zero, cause="forward_gradient_disagree")
def eps_beside_the_root(x):
    """A thousandth is added to the root in the gradient, of which the forward has none."""

    def vjp(dy, x):
        root = tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)))
        return tf.where(x > 0, dy / (2 * (root + 1e-3)), 0 * dy)

    return custom(lambda x: tf.where(x > 0, tf.sqrt(tf.where(x > 0, x, tf.ones_like(x))), 0 * x), vjp, x)


@planted(toys.sqrt_or_zero, cause="forward_gradient_disagree")
def eps_under_the_root(x):
    """A millionth is added under the root in the gradient, of which the forward has none."""

    def vjp(dy, x):
        return tf.where(x > 0, dy / (2 * tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)) + 1e-6)), 0 * dy)

    return custom(lambda x: tf.where(x > 0, tf.sqrt(tf.where(x > 0, x, tf.ones_like(x))), 0 * x), vjp, x)
