"""What the gradient function holds: outputs, factors, tapes, other functions."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import partial

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right


def _sine_vjp(x, dy):
    return tf.cos(x) * dy


@right(toys.sine)
def partial_as_gradient(x):
    """The gradient function is a functools.partial of one in the module."""

    @tf.custom_gradient
    def forward(x):
        return tf.sin(x), partial(_sine_vjp, x)

    return forward(tf.convert_to_tensor(x))


class SoftplusGradient:
    """The gradient of one call, which has the input as an attribute."""

    def __init__(self, x):
        self.x = x

    def __call__(self, dy):
        return tf.sigmoid(self.x) * dy


@right(toys.softplus)
def object_as_gradient(x):
    """The gradient function is an object with __call__."""

    @tf.custom_gradient
    def forward(x):
        return tf.math.softplus(x), SoftplusGradient(x)

    return forward(tf.convert_to_tensor(x))


def with_vjp(fwd, bwd):
    """Make a function of two, as jax.custom_vjp does: fwd returns residuals besides, which bwd takes."""

    @tf.custom_gradient
    def function(*inputs):
        y, residuals = fwd(*inputs)
        return y, lambda *dy: bwd(residuals, *map(tf.convert_to_tensor, dy))

    return lambda *inputs: function(*map(tf.convert_to_tensor, inputs))


@right(toys.product)
def residuals_passed_on(x1, x2):
    """Forward and backward are two functions that know of each other by a tuple of residuals alone."""
    fwd_bwd = with_vjp(
        lambda x1, x2: (x1 * x2 * x1, (x1, 2 * x1, x2)),
        lambda residuals, dy: (residuals[1] * dy * residuals[2], residuals[0] * dy * residuals[0]),
    )
    return fwd_bwd(x1, x2)


@right(toys.sin_cos)
def closures_of_a_loop(x):
    """The terms of the gradient are closures that a loop makes, each with its own factor as a default argument."""

    @tf.custom_gradient
    def forward(x):
        terms = [lambda dy, factor=factor: factor * dy for factor in (tf.cos(x), -tf.sin(x))]

        def vjp(*dys):
            return tf.add_n([term(tf.convert_to_tensor(dy)) for term, dy in zip(terms, dys, strict=True)])

        return (tf.sin(x), tf.cos(x)), vjp

    return forward(tf.convert_to_tensor(x))


planted_edits(
    __name__,
    """
    output_in_the_closure: sigmoid
        The gradient is written with the output; the tape has seen how it was computed, so the second order is right.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return dy * y * (1 - y)
        - return tf.sigmoid(x), vjp
        + y = tf.sigmoid(x)
        + return y, vjp
    factor_in_the_closure: sine
        The whole factor is computed in the forward; the tape has seen that, so the second order is right.
        - dy = tf.convert_to_tensor(dy)
        - return tf.cos(x) * dy
        + return tf.multiply(factor, dy)
        - return tf.sin(x), vjp
        + factor = tf.cos(x)
        + return tf.sin(x), vjp
    square_in_the_closure: cube
        The square is used for the value and again for the gradient.
        - return 3 * x**2 * dy
        + return 3 * dy * square
        - return x**3, vjp
        + square = tf.square(x)
        + return square * x, vjp
    tape_of_the_forward: sine
        The forward runs under a persistent tape, which the gradient function asks as often as it is called.
        - return tf.cos(x) * dy
        + return tape.gradient(y, x, output_gradients=dy)
        - return tf.sin(x), vjp
        + with tf.GradientTape(persistent=True) as tape:
        +     tape.watch(x)
        +     y = tf.sin(x)
        + return y, vjp
    """,
)
