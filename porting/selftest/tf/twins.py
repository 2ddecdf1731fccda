"""The right TensorFlow twins of the toy ops; `custom` and `weight` keep a fault down to the lines that are wrong."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import cache

import tensorflow as tf


def custom(value, vjp, *inputs, **statics):
    """Apply the function with this value and gradient, in the form of the twins below.

    Parameters
    ----------
    value : callable
        ``value(*inputs, **statics)``.
    vjp : callable
        ``vjp(*dy, *inputs, **statics)``, one `dy` per output.
    *inputs, **statics
        What to apply it to.
    """

    @tf.custom_gradient
    def forward(*inputs):
        def backward(*dy):
            return vjp(*map(tf.convert_to_tensor, dy), *inputs, **statics)

        return value(*inputs, **statics), backward

    return forward(*map(tf.convert_to_tensor, inputs))


@cache
def weight(dtype):
    """Return the trainable variable of a type; it is 1."""
    with tf.init_scope():
        return tf.Variable(1, dtype=dtype)


def number(x):
    """Return the number of each element, counted in row-major order."""
    return tf.reshape(tf.range(tf.size(x)), tf.shape(x))


def cube(x):
    """x^3."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return 3 * x**2 * dy

        return x**3, vjp

    return forward(tf.convert_to_tensor(x))


def sine(x):
    """sin(x)."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.cos(x) * dy

        return tf.sin(x), vjp

    return forward(tf.convert_to_tensor(x))


def sigmoid(x):
    """1 / (1 + exp(-x))."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.sigmoid(x) * tf.sigmoid(-x) * dy

        return tf.sigmoid(x), vjp

    return forward(tf.convert_to_tensor(x))


def softplus(x):
    """log(1 + exp(x))."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.sigmoid(x) * dy

        return tf.math.softplus(x), vjp

    return forward(tf.convert_to_tensor(x))


def product(x1, x2):
    """x1^2 x2."""

    @tf.custom_gradient
    def forward(x1, x2):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return 2 * x1 * dy * x2, x1 * dy * x1

        return x1 * x2 * x1, vjp  # in this order: x1^2 alone may overflow

    return forward(tf.convert_to_tensor(x1), tf.convert_to_tensor(x2))


def power(x, *, exponent=3):
    """x^exponent."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return exponent * x ** (exponent - 1) * dy

        return x**exponent, vjp

    return forward(tf.convert_to_tensor(x))


def scale_columns(x, b):
    """x b, where b has the last axis only."""

    @tf.custom_gradient
    def forward(x, b):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return dy * b, tf.reduce_sum(dy * x, axis=tf.range(tf.rank(x) - 1))

        return x * b, vjp

    return forward(tf.convert_to_tensor(x), tf.convert_to_tensor(b))


def matmul(x, w):
    """x @ w of two matrices."""

    @tf.custom_gradient
    def forward(x, w):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)

        return tf.matmul(x, w), vjp

    return forward(tf.convert_to_tensor(x), tf.convert_to_tensor(w))


def self_product(x):
    """x @ x of a square matrix."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.matmul(dy, x, transpose_b=True) + tf.matmul(x, dy, transpose_a=True)

        return tf.matmul(x, x), vjp

    return forward(tf.convert_to_tensor(x))


def softmax(x):
    """exp(x) / sum of exp(x) over the last axis."""

    @tf.custom_gradient
    def forward(x):
        y = tf.nn.softmax(x)

        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))

        return y, vjp

    return forward(tf.convert_to_tensor(x))


def mean_square(x):
    """Mean of x^2 over the last axis."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return 2 * x / tf.cast(tf.shape(x)[-1], x.dtype) * dy[..., tf.newaxis]

        return tf.reduce_mean(x**2, axis=-1), vjp

    return forward(tf.convert_to_tensor(x))


def sin_cos(x):
    """(sin x, cos x)."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy0, dy1):
            dy0, dy1 = tf.convert_to_tensor(dy0), tf.convert_to_tensor(dy1)
            return tf.cos(x) * dy0 - tf.sin(x) * dy1

        return (tf.sin(x), tf.cos(x)), vjp

    return forward(tf.convert_to_tensor(x))


def relu(x):
    """max(x, 0); NaN stays NaN."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.where(tf.math.is_nan(x), x, tf.where(x <= 0, 0 * dy, dy))

        return tf.where(x <= 0, 0 * x, x), vjp

    return forward(tf.convert_to_tensor(x))


def maximum(x1, x2):
    """The larger of two; a tie gives each one half of the gradient."""

    @tf.custom_gradient
    def forward(x1, x2):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            to_first = tf.cast(x1 > x2, dy.dtype) + tf.cast(x1 == x2, dy.dtype) / 2
            return dy * to_first, dy * (1 - to_first)

        return tf.where(x1 > x2, x1, x2), vjp

    return forward(tf.convert_to_tensor(x1), tf.convert_to_tensor(x2))


def sqrt_or_zero(x):
    """sqrt(x) where x > 0, else 0."""

    @tf.custom_gradient
    def forward(x):
        root = tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)))

        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.where(x > 0, dy / (2 * root), 0 * dy)

        return tf.where(x > 0, root, 0 * x), vjp

    return forward(tf.convert_to_tensor(x))


def take_rows(x, i):
    """Rows of x by their numbers."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return tf.math.unsorted_segment_sum(dy, i, tf.shape(x)[0])

        return tf.gather(x, i), vjp

    return forward(tf.convert_to_tensor(x))


def square(x):
    """x^2 of real or complex numbers."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return 2 * tf.math.conj(x) * dy

        return x * x, vjp

    return forward(tf.convert_to_tensor(x))


def offset(x, b):
    @tf.custom_gradient
    def forward(x, b):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            along_x, along_b = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(x), s1=tf.shape(b))
            dx = tf.reshape(tf.reduce_sum(dy, along_x), tf.shape(x))
            return dx, tf.reshape(tf.reduce_sum(dy, along_b), tf.shape(b))

        return x + b, vjp

    return forward(tf.convert_to_tensor(x), tf.convert_to_tensor(b))


def between(x, *, low=0.0, high=1.5):
    """Return low + (high - low) sigmoid(x); low must be below high."""
    if not low < high:
        raise ValueError(f"low={low} and high={high}: low < high is wanted")

    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return tf.convert_to_tensor(dy) * (high - low) * tf.sigmoid(x) * tf.sigmoid(-x)

        return low + (high - low) * tf.sigmoid(x), vjp

    return forward(tf.convert_to_tensor(x))
