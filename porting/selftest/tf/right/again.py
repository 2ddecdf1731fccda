"""Gradients with a gradient of their own, and tf.stop_gradient where nothing depends on it."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.offset)
def shapes_in_the_closure(x, b):
    """The gradient has a gradient of its own by dy alone: of x and b it needs the shapes, which nobody varies."""

    def gradient(like, dy):
        def first(dy):
            along, _ = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(like), s1=tf.shape(dy))
            return tf.reshape(tf.reduce_sum(dy, along), tf.shape(like))

        return custom(first, lambda ddx, dy: tf.broadcast_to(ddx, tf.shape(dy)), dy)

    return custom(tf.add, lambda dy, x, b: (gradient(x, dy), gradient(b, dy)), x, b)


def cosine(x):
    """Return cos(x), with a gradient that is `gradient_is_another_op`'s sine."""
    return custom(tf.cos, lambda dy, x: -gradient_is_another_op(x) * dy, x)


@right(toys.sine)
def gradient_is_another_op(x):
    """The gradient calls the cosine, another function with a custom gradient, whose gradient calls the sine."""
    return custom(tf.sin, lambda dy, x: cosine(x) * dy, x)


@right(toys.sin_cos)
def recomputed_under_a_tape(x):
    """The gradient function computes both outputs again under a tape of its own, and asks it."""

    def vjp(dsin, dcos, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            both = [tf.sin(x), tf.cos(x)]
        return tape.gradient(both, x, output_gradients=[dsin, dcos])

    return custom(lambda x: (tf.sin(x), tf.cos(x)), vjp, x)


@right(toys.sine)
def framework_s_own(x):
    """There is no custom gradient at all: the framework's own is right."""
    return tf.sin(x)


@right(toys.sine)
@tf.custom_gradient
def decorated_itself(x):
    """The function is decorated itself: called by keyword, TensorFlow differentiates the body, which is right too."""
    return tf.sin(x), lambda dy: tf.cos(x) * dy


planted_edits(
    __name__,
    """
    curvature_by_hand: cube
        The gradient has a gradient of its own, by dy and by x.
        - return 3 * x**2 * dy
        + def second(ddx, dy, x):
        +     return 3 * x**2 * ddx, 6 * x * dy * ddx
        + return custom(lambda dy, x: 3 * x**2 * dy, second, dy, x)
    mixed_terms_by_hand: product
        Both gradients have gradients of their own, one function with two outputs and three inputs.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + def value(dy, x1, x2):
        +     return 2 * x1 * dy * x2, x1 * dy * x1
        + def second(a, b, dy, x1, x2):
        +     by_dy = 2 * x1 * x2 * a + x1 * b * x1
        +     return by_dy, 2 * x2 * dy * a + 2 * x1 * dy * b, 2 * x1 * dy * a
        + return custom(value, second, dy, x1, x2)
    stopped_mask: relu
        The mask stands behind tf.stop_gradient, and has no derivative anyway.
        - return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))
        + mask = tf.stop_gradient(tf.where(tf.math.is_nan(x), x, tf.cast(x > 0, x.dtype)))
        + return mask * dy
    stopped_comparison: maximum
        The inputs stand behind tf.stop_gradient where they are compared, and nowhere else.
        - to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
        + a, b = tf.stop_gradient(x1), tf.stop_gradient(x2)
        + to_first = tf.where(a > b, tf.ones_like(a), tf.where(a == b, tf.ones_like(a) / 2, tf.zeros_like(a)))
    stopped_zero: cube
        What is stopped is a number added to the input's own: x - stop(x) + stop(x) still depends on x.
        - return 3 * x**2 * dy
        + stopped = tf.stop_gradient(x)
        + return 3 * ((x - stopped) + stopped) ** 2 * dy
    one_tape_for_each: product
        A persistent tape is asked twice, for each input alone.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + with tf.GradientTape(persistent=True) as tape:
        +     tape.watch([x1, x2])
        +     y = x1 * x2 * x1
        + return tape.gradient(y, x1, dy), tape.gradient(y, x2, dy)
    """,
)
