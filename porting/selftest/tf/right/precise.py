"""Other formulas for the same function, which lose no digits."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.softplus)
def minus_log_sigmoid(x):
    """The value is -log_sigmoid(-x), and the gradient is divided by 1 + exp(-x), infinite where it may be."""
    return custom(lambda x: -tf.math.log_sigmoid(-x), lambda dy, x: dy * tf.sigmoid(x), x)


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


planted_edits(
    __name__,
    """
    half_of_one_plus_tanh: sigmoid
        The function is 1/2 + tanh(x / 2) / 2, and its gradient is written with the tanh.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + t = tf.tanh(x / 2)
        + return (1 - t) * (1 + t) / 4 * dy
        - return tf.sigmoid(x), vjp
        + return (1 + tf.tanh(x / 2)) / 2, vjp
    even_in_x: sigmoid
        The gradient is written with |x| alone, as an even function may be.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + e = tf.exp(-tf.abs(x))
        + return e / (1 + e) / (1 + e) * dy
    from_its_own_value: softplus
        The gradient is 1 - exp(-y), by expm1, so that nothing is lost where y is small.
        - dy = tf.convert_to_tensor(dy)
        - return tf.sigmoid(x) * dy
        + return -tf.math.expm1(-y) * dy
        - return tf.math.softplus(x), vjp
        + y = tf.math.softplus(x)
        + return y, vjp
    exponential_of_a_logarithm: softplus
        The gradient is exp(log_sigmoid(x)), which overflows nowhere.
        - return tf.sigmoid(x) * dy
        + return tf.exp(tf.math.log_sigmoid(x)) * dy
        - return tf.math.softplus(x), vjp
        + return tf.maximum(x, 0) + tf.math.log1p(tf.exp(-tf.abs(x))), vjp
    exponential_of_log_softmax: softmax
        The output is exp(log_softmax(x)), and the gradient takes it from its closure.
        - return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))
        + return y * dy - y * tf.reduce_sum(dy * y, axis=-1, keepdims=True)
        - y = tf.nn.softmax(x)
        + y = tf.exp(tf.nn.log_softmax(x))
    largest_taken_for_constant: softmax
        The largest element is subtracted behind tf.stop_gradient: what it is makes no difference to any derivative.
        - y = tf.nn.softmax(x)
        + e = tf.exp(x - tf.stop_gradient(tf.reduce_max(x, axis=-1, keepdims=True)))
        + y = e / tf.reduce_sum(e, axis=-1, keepdims=True)
    """,
)
