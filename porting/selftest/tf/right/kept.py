"""What is kept for the gradient, or between calls, in places that a later call cannot spoil."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import cache

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.cube)
def dictionary_of_the_call(x):
    """The input stands in a dictionary, a new one for each call."""
    saved = {}

    def value(x):
        saved["x"] = x
        return x**3

    return custom(value, lambda dy, x: 3 * saved["x"] ** 2 * dy, x)


class Context:
    """What one call leaves for its gradient, as ctx in PyTorch."""

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors


@right(toys.sigmoid)
def context_of_the_call(x):
    """The output is kept on an object, as on PyTorch's ctx; each call makes its own."""
    ctx = Context()

    @tf.custom_gradient
    def forward(x):
        y = tf.sigmoid(x)
        ctx.save_for_backward(x, y)

        def vjp(dy):
            x, y = ctx.saved_tensors
            return tf.convert_to_tensor(dy) * y * tf.sigmoid(-x)

        return y, vjp

    return forward(tf.convert_to_tensor(x))


@cache
def three(dtype):
    """Return 3 as a tensor that outlives a trace."""
    with tf.init_scope():
        return tf.constant(3, dtype)


@cache
def calls():
    """Return a variable that counts."""
    with tf.init_scope():
        return tf.Variable(0, trainable=False)


COEFFICIENTS = [1.0, 0.0, 0.0, 0.0]


def polynomial(coefficients, x):
    """Evaluate by Horner's rule."""
    y = tf.zeros_like(x)
    for c in coefficients:
        y = y * x + c
    return y


@right(toys.cube)
def coefficients_in_a_list(x):
    """The coefficients of a polynomial stand in a list of the module, which nobody changes."""
    slopes = [k * c for k, c in zip((3, 2, 1), COEFFICIENTS, strict=False)]
    return custom(lambda x: polynomial(COEFFICIENTS, x), lambda dy, x: polynomial(slopes, x) * dy, x)


FAR_OUT = {2: 12.0, 4: 20.0, 8: 40.0}


planted_edits(
    __name__,
    """
    constant_of_the_module: cube
        A constant is made once for each type, outside of any graph, and shared by all calls.
        - return 3 * x**2 * dy
        + return three(x.dtype) * x**2 * dy
    calls_only_counted: sine
        The forward counts its calls in a variable, which no number depends on.
        - return tf.sin(x), vjp
        + calls().assign_add(1)
        + return tf.sin(x), vjp
    bounds_by_type_in_a_dictionary: softplus
        Where the slope is taken for 1 stands in a dictionary of the module by the type's size; nobody changes it.
        - return tf.sigmoid(x) * dy
        + return tf.where(x > FAR_OUT[x.dtype.size], dy, tf.sigmoid(x) * dy)
    """,
)
