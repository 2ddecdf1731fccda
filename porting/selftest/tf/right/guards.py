"""Guards against 0, ties, overflow and NaN, in other words than tf.where twice."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


def safe(x):
    """Return x where it is positive, else 1."""
    return tf.where(x > 0, x, tf.ones_like(x))


def root(x):
    """Return sqrt(x) where x > 0, else 0."""
    return tf.where(x > 0, tf.sqrt(safe(x)), 0 * x)


@right(toys.sqrt_or_zero)
def mask_multiplied(x):
    """A mask of 0 multiplies, but nothing infinite: the argument of the root is safe already."""
    return custom(root, lambda dy, x: tf.cast(x > 0, x.dtype) * dy / (2 * tf.sqrt(safe(x))), x)


@right(toys.sqrt_or_zero)
def reciprocal_root(x):
    """The gradient is written with rsqrt and divides by nothing."""
    return custom(root, lambda dy, x: tf.where(x > 0, tf.math.rsqrt(safe(x)) / 2, tf.zeros_like(x)) * dy, x)


@right(toys.sqrt_or_zero)
def division_without_nan(x):
    """The division by 0 happens, in divide_no_nan, which makes 0 of it, to the second order too."""

    def vjp(dy, x):
        return tf.math.divide_no_nan(dy, 2 * tf.where(x > 0, tf.sqrt(safe(x)), tf.zeros_like(x)))

    return custom(root, vjp, x)


@right(toys.softplus)
def linear_far_out(x):
    """Far out the function is taken for a straight line, in both directions, where the type sees no difference."""

    def far(x):
        return {2: 12.0, 4: 20.0, 8: 40.0}[x.dtype.size]

    def value(x):
        return tf.where(x > far(x), x, tf.math.log1p(tf.exp(tf.minimum(x, far(x)))))

    return custom(value, lambda dy, x: tf.where(x > far(x), dy, tf.sigmoid(x) * dy), x)


@right(toys.between)
def refused_inside(x, *, low=0.0, high=1.5):
    """The bounds are refused inside of the decorated function, not before it."""

    def value(x, low, high):
        if not low < high:
            raise ValueError(f"low={low} and high={high}: low < high is wanted")
        return low * tf.sigmoid(-x) + high * tf.sigmoid(x)

    def vjp(dy, x, low, high):
        return dy * (high - low) * tf.sigmoid(x) * tf.sigmoid(-x)

    return custom(value, vjp, x, low=low, high=high)


planted_edits(
    __name__,
    """
    value_with_one_where: sqrt_or_zero
        The value takes the root of negative numbers and does not use it; nobody differentiates the value.
        - return tf.where(x > 0, dy / (2 * root), 0 * dy)
        + return tf.where(x > 0, dy / (2 * tf.sqrt(safe(x))), 0 * dy)
        - return tf.where(x > 0, root, 0 * x), vjp
        + return tf.where(x > 0, tf.sqrt(x), 0 * x), vjp
    half_of_x_and_its_size: relu
        The value is (x + |x|) / 2, without a comparison.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.where(tf.math.is_nan(x), x, tf.where(x > 0, dy, tf.zeros_like(dy)))
        - return tf.where(x <= 0, 0 * x, x), vjp
        + return (x + tf.abs(x)) / 2, vjp
    nan_by_a_sum: relu
        NaN comes by adding x to 0 where x is neither above 0 nor below nor at it.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + known = (x <= 0) | (x > 0)
        + return tf.where(known, tf.zeros_like(x), x) + tf.cast(x > 0, dy.dtype) * dy
    sign_of_the_value: relu
        The mask is the sign of the output, which is NaN where the input is.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + return tf.sign(tf.where(x <= 0, 0 * x, x)) * dy
    second_gets_the_rest: maximum
        The second gradient is what the first leaves of the cotangent.
        - to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
        - return dy * to_first, dy * (1 - to_first)
        + half = tf.where(x1 == x2, dy / 2, tf.zeros_like(dy))
        + first = tf.where(x1 > x2, dy, half)
        + return first, dy - first
    mean_of_two_conventions: maximum
        One half follows x1 > x2 and the other x1 >= x2, which gives a tie one half each.
        - to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
        + to_first = (tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 >= x2, dy.dtype)) / 2
    exponent_clipped_first: sigmoid
        The exponent is clipped where the sigmoid is 0 or 1 to the last digit of the type; NaN passes.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + limit = {2: 10.0, 4: 80.0, 8: 700.0}[x.dtype.size]
        + e = tf.exp(tf.clip_by_value(-x, -limit, limit))
        + return 1 / (1 + e) * (e / (1 + e)) * dy
    """,
)
