"""Wrong in places: single elements, far out, at a kink, at NaN, in the last digits, on overflow."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


def number(x):
    """Return the number of each element, counted in row-major order."""
    return tf.reshape(tf.range(tf.size(x)), tf.shape(x))


@planted(toys.sine, cause="few_elements")
def last_element_left_out(x):
    """The last element gets no gradient."""
    return custom(tf.sin, lambda dy, x: tf.where(number(x) == tf.size(x) - 1, 0 * dy, tf.cos(x) * dy), x)


@planted(toys.sine, cause="few_elements")
def tail_of_blocks_left_out(x):
    """Work is done in blocks of 8; the elements after the last full block get no gradient."""
    return custom(tf.sin, lambda dy, x: tf.where(number(x) >= tf.size(x) // 8 * 8, 0 * dy, tf.cos(x) * dy), x)


@planted(toys.cube, cause="few_elements")
def one_in_a_large_array(x):
    """Element 54321 of a large array has the wrong sign; small arrays are right."""
    return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * tf.where(number(x) == 54321, -dy, dy), x)


@planted(toys.sigmoid, cause="wrong_branch")
def cut_off(x):
    """No gradient beyond 4, where it is still 0.018."""

    def vjp(dy, x):
        dx = tf.sigmoid(x) * tf.sigmoid(-x) * dy
        return tf.where(tf.abs(x) > 4, 0 * dx, dx)

    return custom(tf.sigmoid, vjp, x)


@planted(toys.cube, cause="wrong_branch")
def straight_beyond_ten(x):
    """Beyond 10 the gradient is that of a straight line."""
    return custom(lambda x: x**3, lambda dy, x: tf.where(tf.abs(x) > 10, 300 * dy, 3 * x**2 * dy), x)


@planted(toys.softplus, cause="wrong_branch")
def taken_for_linear_too_early(x):
    """From 3 on the gradient is 1, where sigmoid is still 0.95."""
    return custom(tf.math.softplus, lambda dy, x: tf.where(x > 3, dy, tf.sigmoid(x) * dy), x)


@planted(toys.sine, cause="precision_loss")
def through_float32(x):
    """The gradient is computed in float32, in float64 too."""
    return custom(tf.sin, lambda dy, x: tf.cast(tf.cos(tf.cast(x, tf.float32)), x.dtype) * dy, x)


@planted(toys.sigmoid, cause="precision_loss")
def through_bfloat16(x):
    """The saved output is kept in bfloat16 to save memory."""

    def vjp(dy, x):
        y = tf.cast(tf.cast(tf.sigmoid(x), tf.bfloat16), x.dtype)
        return y * tf.sigmoid(-x) * dy

    return custom(tf.sigmoid, vjp, x)


@planted(toys.sine, cause="precision_loss")
def difference_quotient(x):
    """The gradient is a difference quotient with step 1/1024."""
    return custom(tf.sin, lambda dy, x: (tf.sin(x + 2**-10) - tf.sin(x - 2**-10)) * 512 * dy, x)


@planted(toys.softplus, cause="overflow", source="tenstorrent/tt-metal#56397")
def exponential_over_itself(x):
    """exp(x) / (1 + exp(x)) is inf / inf for large x."""
    return custom(tf.math.softplus, lambda dy, x: tf.exp(x) / (1 + tf.exp(x)) * dy, x)


@planted(toys.softmax, cause="overflow", source="uTensor/uTensor#175")
def largest_not_subtracted(x):
    """The exponentials are taken without subtracting the largest element."""

    def value(x):
        return tf.exp(x) / tf.reduce_sum(tf.exp(x), axis=-1, keepdims=True)

    def vjp(dy, x):
        y = value(x)
        return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))

    return custom(value, vjp, x)


@planted(toys.sqrt_or_zero, cause="zero_times_infinity", source="tensorflow#4914")
def zero_slips_through(x):
    """The guard lets x = 0 through: 0 times 1 / sqrt(0)."""

    def vjp(dy, x):
        return tf.cast(x > 0, x.dtype) * dy / (2 * tf.sqrt(tf.where(x >= 0, x, tf.ones_like(x))))

    return custom(lambda x: tf.where(x > 0, tf.sqrt(x), 0 * x), vjp, x)


@planted(toys.sqrt_or_zero, cause="zero_times_infinity", source="tensorflow#38349")
def branch_not_taken(x):
    """Differentiated once more, the branch that is not taken gives 0 times infinity."""
    return custom(
        lambda x: tf.where(x > 0, tf.sqrt(x), 0 * x),
        lambda dy, x: tf.where(x > 0, 0.5 * x**-0.5 * dy, 0 * dy),
        x,
    )


@planted(toys.cube, cause="nan_hidden")
def nan_to_zero(x):
    """A NaN in the gradient is replaced by 0."""

    def vjp(dy, x):
        dx = 3 * x**2 * dy
        return tf.where(tf.math.is_nan(dx), tf.zeros_like(dx), dx)

    return custom(lambda x: x**3, vjp, x)


@planted(toys.sine, cause="nan_hidden", source="ashawkey/stable-dreamfusion#158")
def nan_cotangent_to_zero(x):
    """A NaN in the cotangent is replaced by 0."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * tf.where(tf.math.is_nan(dy), tf.zeros_like(dy), dy), x)


@planted(toys.relu, cause="kink_convention")
def slope_at_zero(x):
    """The slope at 0 is 1."""

    def vjp(dy, x):
        return tf.where(tf.math.is_nan(x), x, tf.where(x < 0, 0 * dy, dy))

    return custom(lambda x: tf.where(x <= 0, 0 * x, x), vjp, x)


@planted(toys.maximum, cause="kink_convention")
def tie_to_the_first(x1, x2):
    """At a tie the whole gradient goes to the first."""

    def vjp(dy, x1, x2):
        to_first = tf.cast(x1 >= x2, dy.dtype)
        return dy * to_first, dy * (1 - to_first)

    return custom(lambda x1, x2: tf.where(x1 > x2, x1, x2), vjp, x1, x2)


@planted(toys.power, cause="wrong_branch")
def no_gradient_at_the_static(x, *, exponent=3):
    """Where x equals the exponent there is no gradient: a bound was meant to be outside."""

    def vjp(dy, x, exponent):
        dx = exponent * x ** (exponent - 1) * dy
        return tf.where(x == tf.cast(exponent, x.dtype), 0 * dx, dx)

    return custom(lambda x, exponent: x**exponent, vjp, x, exponent=exponent)


@planted(toys.product, cause="wrong_branch")
def no_gradient_where_equal(x1, x2):
    """Where the two inputs are equal they are taken for one, and the second gets no gradient."""

    def vjp(dy, x1, x2):
        return 2 * x1 * dy * x2, tf.where(x1 == x2, tf.zeros_like(dy), x1 * dy * x1)

    return custom(lambda x1, x2: x1 * x2 * x1, vjp, x1, x2)


@planted(toys.cube, cause="zero_times_infinity")
def value_over_input(x):
    """The gradient is 3 y / x, which is 0 / 0 at 0."""

    @tf.custom_gradient
    def forward(x):
        y = x**3
        return y, lambda dy: 3 * y / x * tf.convert_to_tensor(dy)

    return forward(tf.convert_to_tensor(x))


@planted(toys.sigmoid, cause="overflow")
def square_of_infinity(x):
    """exp(-x) / (1 + exp(-x))^2 is NaN far to the left."""
    return custom(tf.sigmoid, lambda dy, x: tf.exp(-x) / (1 + tf.exp(-x)) ** 2 * dy, x)


@planted(toys.softplus, cause="overflow")
def infinite_curvature(x):
    """1 / (1 + exp(-x)) is right everywhere, and its own derivative NaN far to the left."""
    return custom(tf.math.softplus, lambda dy, x: 1 / (1 + tf.exp(-x)) * dy, x)


@planted(toys.relu, cause="nan_hidden")
def masked_nan(x):
    """Where x is NaN the gradient is 0: no comparison with NaN holds."""
    return custom(lambda x: tf.where(x <= 0, 0 * x, x), lambda dy, x: tf.where(x > 0, dy, 0 * dy), x)


@planted(toys.relu, cause="kink_convention")
def half_at_zero(x):
    """The slope at 0 is 1/2, the mean of both sides."""
    return custom(lambda x: tf.where(x <= 0, 0 * x, x), lambda dy, x: (1 + tf.sign(x)) / 2 * dy, x)
