"""Twins that are no plain functions: objects, methods, partials, layers."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, allow-subclassing-any

from functools import cache, partial, update_wrapper

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


class Cube:
    """The twin is an object with __call__."""

    __name__ = "object_with_call"

    def __call__(self, x):
        return custom(lambda x: x**3, self._vjp, x)

    def _vjp(self, dy, x):
        return 3 * x**2 * dy


right(toys.cube)(Cube())


class Power(tf.Module):
    """The twin is a tf.Module, which keeps a number and no variable."""

    __name__ = "module_without_variables"

    def __init__(self, name=None):
        super().__init__(name=name)
        self.one = 1

    def __call__(self, x, *, exponent=3):
        return custom(lambda x: x**exponent, lambda dy, x: exponent * x ** (exponent - self.one) * dy, x)


right(toys.power)(Power())


@right(toys.sine)
class StaticApply:
    """The twin is a static method called apply, as of a Function in PyTorch."""

    @staticmethod
    def forward(x):
        return tf.sin(x)

    @staticmethod
    def backward(dy, x):
        return tf.cos(x) * dy

    @staticmethod
    def apply(x):
        return custom(StaticApply.forward, StaticApply.backward, x)


@right(toys.softplus)
class ClassApply:
    """The twin is a class method, whose custom gradient calls other class methods."""

    @classmethod
    def slope(cls, x):
        return tf.sigmoid(x)

    @classmethod
    def apply(cls, x):
        return custom(tf.math.softplus, lambda dy, x: cls.slope(x) * dy, x)


class Product:
    """Has the value as one method, and makes the gradient function in another."""

    def value(self, x1, x2):
        return x1 * x2 * x1, self.gradient(x1, x2)

    def gradient(self, x1, x2):
        def vjp(dy):
            dy = tf.convert_to_tensor(dy)
            return 2 * x1 * dy * x2, x1 * dy * x1

        return vjp


@right(toys.product)
def bound_method_decorated(x1, x2):
    """What is decorated is a bound method, anew in each call, and another method makes its gradient function."""
    return tf.custom_gradient(Product().value)(tf.convert_to_tensor(x1), tf.convert_to_tensor(x2))


def _applied(value, slope, x):
    return custom(value, lambda dy, x: slope(x) * dy, x)


def partial_of_a_helper(x):
    """The twin is a functools.partial of a helper that takes value and slope first."""


right(toys.sine)(update_wrapper(partial(_applied, tf.sin, tf.cos), partial_of_a_helper))


def _power(x, *, exponent, scale):
    return custom(lambda x: x**exponent, lambda dy, x: scale * exponent * x ** (exponent - 1) * dy, x)


def partial_of_settings(x):
    """The twin is a functools.partial that sets a keyword argument which the truth does not have."""


right(toys.power)(update_wrapper(partial(_power, exponent=3, scale=1), partial_of_settings))


@cache
def layer():
    """Return a Keras layer without weights."""

    class Sine(tf.keras.layers.Layer):
        def call(self, x):
            return custom(tf.sin, lambda dy, x: tf.cos(x) * dy, x)

    return Sine(autocast=False)


@right(toys.sine)
def keras_layer(x):
    """The custom gradient stands in a Keras layer without weights."""
    return layer()(x)
