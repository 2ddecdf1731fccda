"""State where none belongs: in the module, in the closure, in the process, in the draw; and captured variables."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import random

import numpy as np
import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom, weight

_saved: dict[str, tf.Tensor] = {}


class Last:
    """The last output of `saved_on_a_class`."""

    y: tf.Tensor


@planted(toys.cube, cause="shared_state")
def saved_in_the_module(x):
    """The input is saved in the module, where the next call overwrites it."""
    _saved["x"] = x = tf.convert_to_tensor(x)
    return custom(lambda x: x**3, lambda dy, x: 3 * _saved["x"] ** 2 * dy, x)


@planted(toys.sine, cause="overwrites_saved")
def accumulates(x):
    """A second backward through the same graph returns the sum of both gradients."""
    before = []

    def vjp(dy, x):
        before.append(tf.cos(x) * dy)
        return tf.add_n(before)

    return custom(tf.sin, vjp, x)


@planted(toys.cube, cause="overwrites_saved")
def buffer_used_again(x):
    """The saved factor is overwritten by the gradient, so a second backward multiplies by dy twice."""
    buffer = {}

    def value(x):
        buffer["factor"] = 3 * x**2
        return x**3

    def vjp(dy, x):
        buffer["factor"] *= dy
        return buffer["factor"]

    return custom(value, vjp, x)


@planted(toys.cube, cause="global_state")
def seeds_numpy(x):
    """The backward sets NumPy's random seed."""

    def vjp(dy, x):
        np.random.seed(0)  # noqa: NPY002 - the global seed is the fault
        return 3 * x**2 * dy

    return custom(lambda x: x**3, vjp, x)


@planted(toys.softplus, cause="global_state")
def seeds_python(x):
    """The forward sets Python's random seed."""

    def value(x):
        random.seed(0)
        return tf.math.softplus(x)

    return custom(value, lambda dy, x: tf.sigmoid(x) * dy, x)


@planted(toys.cube, cause="missing_variables", source="keras-team/keras#18139")
def variable_in_a_layer(x):
    """The function calls a layer, whose trainable variable the gradient function knows nothing of."""

    def layer(x):
        return weight(x.dtype) * x

    return custom(lambda x: layer(x**3), lambda dy, x: 3 * x**2 * dy, x)


def weighted_sine(dw, x):
    """Apply a sine with a trainable factor and `dw(dy, x)` as the factor's gradient."""
    x = tf.convert_to_tensor(x)
    w = weight(x.dtype)

    @tf.custom_gradient
    def forward(x):
        def vjp(dy, variables=None):
            dy = tf.convert_to_tensor(dy)
            return w * tf.cos(x) * dy, [dw(dy, x)]

        return w * tf.sin(x), vjp

    return forward(x)


@planted(toys.sine, cause="wrong_variable_gradient", source="tensorflow#49488")
def variable_ignores_cotangent(x):
    """The gradient of the captured variable does not depend on the cotangent."""
    return weighted_sine(lambda dy, x: tf.reduce_sum(tf.sin(x)), x)


@planted(toys.sine, cause="wrong_variable_gradient")
def variable_gets_zero(x):
    """The gradient of the captured variable is 0."""
    return weighted_sine(lambda dy, x: tf.zeros([], x.dtype), x)


@planted(toys.sine, cause="wrong_variable_gradient")
def variable_gets_none(x):
    """The captured variable gets no gradient: None."""
    return weighted_sine(lambda dy, x: None, x)


@planted(toys.sine, cause="wrong_variable_gradient")
def variable_gets_the_mean(x):
    """The gradient of the captured variable is averaged over the elements instead of summed."""
    return weighted_sine(lambda dy, x: tf.reduce_mean(tf.sin(x) * dy), x)


planted_edits(
    __name__,
    """
    saved_on_a_class: sigmoid, shared_state
        The output is saved on a class, where the next call overwrites it.
        - return tf.sigmoid(x) * tf.sigmoid(-x) * dy
        + return Last.y * tf.sigmoid(-x) * dy
        - return tf.sigmoid(x), vjp
        + Last.y = tf.sigmoid(x)
        + return Last.y, vjp
    noisy: sine, random_backward
        Noise of one per cent is added to the gradient.
        - return tf.cos(x) * dy
        + return tf.cos(x) * dy * (1 + tf.random.normal(tf.shape(x), 0, 0.01, x.dtype))
    dropped_out: softplus, random_backward
        Half of the gradients, drawn at random, are dropped and the others doubled.
        - return tf.sigmoid(x) * dy
        + keep = tf.cast(tf.random.uniform(tf.shape(x)) < 0.5, x.dtype)
        + return 2 * keep * tf.sigmoid(x) * dy
    seeds_tensorflow: sine, global_state
        The forward sets TensorFlow's random seed.
        - return tf.sin(x), vjp
        + tf.random.set_seed(0)
        + return tf.sin(x), vjp
    variables_not_taken: sine, missing_variables, tensorflow#31945
        A trainable variable is used, but the gradient function takes no `variables`.
        - return tf.cos(x) * dy
        + return weight(x.dtype) * tf.cos(x) * dy
        - return tf.sin(x), vjp
        + return weight(x.dtype) * tf.sin(x), vjp
    tape_used_up: sine, saved_used_up
        The forward runs under a tape that can be asked once, so a second backward raises.
        - dy = tf.convert_to_tensor(dy)
        - return tf.cos(x) * dy
        + return tape.gradient(y, x, output_gradients=tf.convert_to_tensor(dy))
        - return tf.sin(x), vjp
        + with tf.GradientTape() as tape:
        +     tape.watch(x)
        +     y = tf.sin(x)
        + return y, vjp
    """,
)
