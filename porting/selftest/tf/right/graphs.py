"""Traced and compiled functions inside and around, conditions of the graph, assertions, overridden gradients."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf import twins
from porting.selftest.tf.twins import custom


@right(toys.cube)
@tf.function(reduce_retracing=True)
def traced_as_a_whole(x):
    """The twin is a tf.function, custom gradient and all."""
    return twins.cube(x)


@tf.function(reduce_retracing=True)
def _sine(x):
    return tf.sin(x)


@right(toys.sine)
def value_is_traced(x):
    """The value is computed by a tf.function."""
    return custom(_sine, lambda dy, x: tf.cos(x) * dy, x)


@tf.function(reduce_retracing=True)
def _softplus_vjp(dy, x):
    return tf.sigmoid(x) * dy


@right(toys.softplus)
def gradient_is_traced(x):
    """The gradient is computed by a tf.function, which can be differentiated again."""
    return custom(tf.math.softplus, _softplus_vjp, x)


@tf.function(jit_compile=True, reduce_retracing=True)
def _compiled_cosine(dy, x):
    return tf.cos(x) * dy


@right(toys.sine)
def gradient_is_compiled(x):
    """The gradient is compiled by XLA, even when it is called eagerly."""
    return custom(tf.sin, _compiled_cosine, x)


@tf.function(reduce_retracing=True)
def _root(x):
    if tf.reduce_all(x > 0):
        return tf.sqrt(x)
    return tf.where(x > 0, tf.sqrt(x), 0 * x)


@right(toys.sqrt_or_zero)
def asked_in_the_graph(x):
    """Python's if asks a tensor, in a tf.function, where AutoGraph makes a condition of it."""

    def vjp(dy, x):
        return tf.where(x > 0, dy / (2 * tf.sqrt(tf.where(x > 0, x, tf.ones_like(x)))), 0 * dy)

    return custom(_root, vjp, x)


@tf.RegisterGradient("PortingSelftestSigmoid")
def _registered(op, dy):
    (x,) = op.inputs
    return dy * tf.sigmoid(x) * tf.sigmoid(-x)


@right(toys.sigmoid)
@tf.function(reduce_retracing=True)
def overridden_in_the_graph(x):
    """The gradient of one operation is overridden in the graph, as TensorFlow 1 did."""
    with tf.compat.v1.get_default_graph().gradient_override_map({"Sigmoid": "PortingSelftestSigmoid"}):
        return tf.sigmoid(x)


planted_edits(
    __name__,
    """
    condition_on_the_size: sine
        A condition of the graph chooses another way for arrays without elements.
        - return tf.cos(x) * dy
        + return tf.cond(tf.size(x) > 0, lambda: tf.cos(x) * dy, lambda: tf.zeros_like(x))
    chosen_by_a_switch: power
        A switch of the graph chooses one of four formulas by the static.
        - return exponent * x ** (exponent - 1) * dy
        + formulas = [lambda: 0 * dy, lambda: dy, lambda: 2 * x * dy, lambda: 3 * x**2 * dy]
        + return tf.switch_case(tf.constant(exponent), formulas)
    asserted_on_the_way: cube
        The gradient asserts that shapes agree before it multiplies.
        - return 3 * x**2 * dy
        + same = tf.debugging.assert_equal(tf.shape(dy), tf.shape(x))
        + with tf.control_dependencies([] if same is None else [same]):
        +     return 3 * x**2 * tf.identity(dy)
    """,
)
