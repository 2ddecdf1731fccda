"""Loops of the graph and of Python, and maps over rows."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.power)
def multiplied_in_the_graph(x, *, exponent=3):
    """The power is a loop of the graph; its gradient is another loop."""

    def times(n, y, x):
        return tf.while_loop(
            lambda k, y: k < n, lambda k, y: [k + 1, y * x], [tf.constant(0), y], maximum_iterations=n
        )[1]

    return custom(
        lambda x, exponent: times(exponent, tf.ones_like(x), x),
        lambda dy, x, exponent: exponent * times(exponent - 1, tf.ones_like(x), x) * dy,
        x,
        exponent=exponent,
    )


@right(toys.power)
def multiplied_in_python(x, *, exponent=3):
    """The power is a loop of Python over the static."""

    def times(n, y, x):
        for _ in range(n):
            y = y * x
        return y

    return custom(
        lambda x: times(exponent - 1, x, x),
        lambda dy, x: times(exponent - 1, tf.ones_like(x), x) * (exponent * dy),
        x,
    )


@right(toys.mean_square)
def row_by_row(x):
    """The gradient maps over the rows, one by one, in a loop of the graph."""

    def vjp(dy, x):
        length = tf.shape(x)[-1]
        rows = tf.reshape(x, [tf.size(dy), length]), tf.reshape(dy, [-1])
        each = tf.map_fn(lambda row: 2 * row[0] / tf.cast(length, x.dtype) * row[1], rows, fn_output_signature=x.dtype)
        return tf.reshape(each, tf.shape(x))

    return custom(lambda x: tf.reduce_mean(x**2, -1), vjp, x)


planted_edits(
    __name__,
    """
    rows_vectorized: softmax
        The gradient is written for one row and vectorized over all of them.
        - return y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True))
        + def row(pair):
        +     y, dy = tf.nn.softmax(pair[0]), pair[1]
        +     return y * (dy - tf.reduce_sum(dy * y))
        + length = tf.shape(x)[-1]
        + rows = tf.size(x) // length
        + flat = tf.vectorized_map(row, (tf.reshape(x, [rows, length]), tf.reshape(dy, [rows, length])))
        + return tf.reshape(flat, tf.shape(x))
    """,
)
