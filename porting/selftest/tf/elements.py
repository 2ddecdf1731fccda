"""Elements that are wrong because of what they equal, or of where they stand."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.special import number
from porting.selftest.tf.twins import custom


@planted(toys.sine, cause="wrong_branch")
def zero_taken_for_padding(x):
    """Where the input is 0 it is taken for padding, which gets no gradient."""
    return custom(tf.sin, lambda dy, x: tf.where(x == 0, tf.zeros_like(dy), tf.cos(x) * dy), x)


@planted(toys.sine, cause="wrong_branch")
def one_taken_for_padding(x):
    """Where the input is 1 it is taken for padding, which gets no gradient."""
    return custom(tf.sin, lambda dy, x: tf.where(x == 1, tf.zeros_like(dy), tf.cos(x) * dy), x)


@planted(toys.power, cause="wrong_branch")
def no_gradient_at_the_lower_bound(x, *, exponent=3):
    """Where x equals minus the exponent there is no gradient: the lower of two bounds was meant to be outside."""

    def vjp(dy, x, exponent):
        dx = exponent * x ** (exponent - 1) * dy
        return tf.where(x == tf.cast(-exponent, x.dtype), tf.zeros_like(dx), dx)

    return custom(lambda x, exponent: x**exponent, vjp, x, exponent=exponent)


@planted(toys.product, cause="wrong_branch")
def left_out_where_zero(x1, x2):
    """Where the second input is 0 so is the product, and nothing is computed: its own gradient is not 0 there."""

    def vjp(dy, x1, x2):
        return 2 * x1 * dy * x2, tf.where(x2 == 0, tf.zeros_like(dy), x1 * dy * x1)

    return custom(lambda x1, x2: x1 * x2 * x1, vjp, x1, x2)


@planted(toys.softplus, cause="wrong_branch")
def tail_of_the_other_side(x):
    """From 30 on the gradient is exp(-x): that is the tail on the other side, turned around."""
    return custom(tf.math.softplus, lambda dy, x: tf.where(x > 30, tf.exp(-x), tf.sigmoid(x)) * dy, x)


@planted(toys.cube, cause="few_elements")
def tail_of_fours_left_out(x):
    """Four elements are computed at once, and what is left over, three of seven, gets no gradient."""
    return custom(
        lambda x: x**3,
        lambda dy, x: tf.where(number(x) >= tf.size(x) // 4 * 4, tf.zeros_like(dy), 3 * x**2 * dy),
        x,
    )


@planted(toys.sine, cause="few_elements")
def tail_of_many_left_out(x):
    """In arrays of more than 64 elements, blocks of 64 are computed, and what is left over gets no gradient."""

    def vjp(dy, x):
        left_over = (tf.size(x) > 64) & (number(x) >= tf.size(x) // 64 * 64)
        return tf.where(left_over, tf.zeros_like(dy), tf.cos(x) * dy)

    return custom(tf.sin, vjp, x)


@planted(toys.sine, cause="few_elements")
def last_of_each_row(x):
    """The last element of each row gets no gradient: a loop over columns ends one too early."""

    def vjp(dy, x):
        dx = tf.reshape(tf.cos(x) * dy, tf.concat([[1], tf.shape(x)], 0))
        length = tf.shape(dx)[-1]
        return tf.reshape(tf.where(tf.range(length) == length - 1, tf.zeros_like(dx), dx), tf.shape(x))

    return custom(tf.sin, vjp, x)


@planted(toys.softplus, cause="few_elements")
def first_two_exchanged(x):
    """The gradients of the first two elements are exchanged."""

    def vjp(dy, x):
        flat = tf.reshape(tf.sigmoid(x) * dy, [-1])
        return tf.reshape(tf.concat([flat[:2][::-1], flat[2:]], axis=0), tf.shape(x))

    return custom(tf.math.softplus, vjp, x)
