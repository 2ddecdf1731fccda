"""Other formulas for the same function, which lose no digits."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.sigmoid)
def half_of_one_plus_tanh(x):
    """The function is 1/2 + tanh(x / 2) / 2, and its gradient is written with the tanh."""

    def vjp(dy, x):
        t = tf.tanh(x / 2)
        return (1 - t) * (1 + t) / 4 * dy

    return custom(lambda x: (1 + tf.tanh(x / 2)) / 2, vjp, x)


@right(toys.sigmoid)
def even_in_x(x):
    """The gradient is written with |x| alone, as an even function may be."""

    def vjp(dy, x):
        e = tf.exp(-tf.abs(x))
        return e / (1 + e) / (1 + e) * dy

    return custom(tf.sigmoid, vjp, x)


@right(toys.softplus)
def from_its_own_value(x):
    """The gradient is 1 - exp(-y), by expm1, so that nothing is lost where y is small."""

    @tf.custom_gradient
    def forward(x):
        y = tf.math.softplus(x)
        return y, lambda dy: -tf.math.expm1(-y) * dy

    return forward(tf.convert_to_tensor(x))


@right(toys.softplus)
def exponential_of_a_logarithm(x):
    """The gradient is exp(log_sigmoid(x)), which overflows nowhere."""
    return custom(
        lambda x: tf.maximum(x, 0) + tf.math.log1p(tf.exp(-tf.abs(x))),
        lambda dy, x: tf.exp(tf.math.log_sigmoid(x)) * dy,
        x,
    )


@right(toys.softplus)
def minus_log_sigmoid(x):
    """The value is -log_sigmoid(-x), and the gradient is divided by 1 + exp(-x), infinite where it may be."""
    return custom(lambda x: -tf.math.log_sigmoid(-x), lambda dy, x: dy * tf.sigmoid(x), x)


@right(toys.softmax)
def exponential_of_log_softmax(x):
    """The output is exp(log_softmax(x)), and the gradient takes it from its closure."""

    @tf.custom_gradient
    def forward(x):
        y = tf.exp(tf.nn.log_softmax(x))

        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return y * dy - y * tf.reduce_sum(dy * y, axis=-1, keepdims=True)

        return y, vjp

    return forward(tf.convert_to_tensor(x))


@right(toys.softmax)
def largest_taken_for_constant(x):
    """The largest element is subtracted behind tf.stop_gradient: what it is makes no difference to any derivative."""

    @tf.custom_gradient
    def forward(x):
        e = tf.exp(x - tf.stop_gradient(tf.reduce_max(x, axis=-1, keepdims=True)))
        y = e / tf.reduce_sum(e, axis=-1, keepdims=True)

        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))

        return y, vjp

    return forward(tf.convert_to_tensor(x))


@right(toys.mean_square)
def divided_before_the_sum(x):
    """The square is divided by the length before it is summed."""

    def length(x):
        return tf.cast(tf.shape(x)[-1], x.dtype)

    return custom(
        lambda x: tf.reduce_sum(x * (x / length(x)), axis=-1),
        lambda dy, x: (x + x) * (dy[..., tf.newaxis] / length(x)),
        x,
    )


@right(toys.between)
def weights_of_both_ends(x, *, low=0.0, high=1.5):
    """The value is low and high weighted, which is the same as an offset with a factor."""
    if low >= high:
        raise ValueError(f"low={low} and high={high}: low < high is wanted")
    return custom(
        lambda x: low * tf.sigmoid(-x) + high * tf.sigmoid(x),
        lambda dy, x: dy * (high - low) * tf.sigmoid(x) * tf.sigmoid(-x),
        x,
    )
