"""First order right, second order zero, wrong or refused."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.sine, cause="detached")
def stopped_factor(x):
    """The factor is taken for a constant: tf.stop_gradient."""
    return custom(tf.sin, lambda dy, x: tf.stop_gradient(tf.cos(x)) * dy, x)


@planted(toys.product, cause="detached")
def stopped_gradients(x1, x2):
    """Both gradients are returned through tf.stop_gradient."""

    def vjp(dy, x1, x2):
        return tf.stop_gradient(2 * x1 * dy * x2), tf.stop_gradient(x1 * dy * x1)

    return custom(lambda x1, x2: x1 * x2 * x1, vjp, x1, x2)


@planted(toys.cube, cause="detached", source="tensorflow#34503")
def input_in_the_closure(x):
    """The gradient has a gradient of its own, but only by dy: x is in its closure, so TensorFlow sees no dependence."""

    def vjp(dy, x):
        return custom(lambda dy: 3 * x**2 * dy, lambda ddx, dy: 3 * x**2 * ddx, dy)

    return custom(lambda x: x**3, vjp, x)


@planted(toys.sine, cause="second_order_refused")
def prevented(x):
    """The gradient is marked as one that cannot be differentiated."""
    return custom(tf.sin, lambda dy, x: tf.raw_ops.PreventGradient(input=tf.cos(x) * dy, message="once only"), x)


@planted(toys.cube, cause="second_order_refused")
def not_implemented(x):
    """The gradient of the gradient is left for later."""

    def once(ddx, dy, x):
        raise NotImplementedError("second order")

    return custom(lambda x: x**3, lambda dy, x: custom(lambda dy, x: 3 * x**2 * dy, once, dy, x), x)


@planted(toys.cube, cause="wrong_second_order")
def half_the_curvature(x):
    """The gradient of the gradient by x is 3 x dy where 6 x dy is meant."""

    def second(ddx, dy, x):
        return 3 * x**2 * ddx, 3 * x * dy * ddx

    return custom(lambda x: x**3, lambda dy, x: custom(lambda dy, x: 3 * x**2 * dy, second, dy, x), x)


@planted(toys.sine, cause="wrong_second_order")
def curvature_of_wrong_sign(x):
    """The gradient of the gradient by x is sin(x) dy; the minus is missing."""

    def second(ddx, dy, x):
        return tf.cos(x) * ddx, tf.sin(x) * dy * ddx

    return custom(tf.sin, lambda dy, x: custom(lambda dy, x: tf.cos(x) * dy, second, dy, x), x)


@planted(toys.product, cause="wrong_second_order")
def no_mixed_term(x1, x2):
    """The gradient of the gradient of x2 by x1 is missing."""

    def vjp(dy, x1, x2):
        def second(ddx2, dy, x1):
            return x1 * ddx2 * x1, tf.zeros_like(x1)

        return 2 * x1 * dy * x2, custom(lambda dy, x1: x1 * dy * x1, second, dy, x1)

    return custom(lambda x1, x2: x1 * x2 * x1, vjp, x1, x2)


@planted(toys.softplus, cause="wrong_second_order")
def cotangent_left_out(x):
    """The gradient of the gradient by x lacks the cotangent: dy is taken for 1."""

    def second(ddx, dy, x):
        return tf.sigmoid(x) * ddx, tf.sigmoid(x) * tf.sigmoid(-x) * ddx

    return custom(tf.math.softplus, lambda dy, x: custom(lambda dy, x: tf.sigmoid(x) * dy, second, dy, x), x)
