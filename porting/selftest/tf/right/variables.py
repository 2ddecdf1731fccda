"""Variables that the function or its gradient function reads, with the gradient that they need."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import cache

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.right.surrogates import rounded
from porting.selftest.tf.twins import custom, weight


def weighted(vjp, x):
    """Apply a sine with a trainable factor of 1 and a gradient function made by ``vjp(x, w)``."""
    x = tf.convert_to_tensor(x)
    w = weight(x.dtype)

    @tf.custom_gradient
    def forward(x):
        return w * tf.sin(x), vjp(x, w)

    return forward(x)


@right(toys.sine)
def variable_with_its_gradient(x):
    """A variable is captured, and its gradient is returned second."""

    def made(x, w):
        def vjp(dy, variables=None):
            dy = tf.convert_to_tensor(dy)
            return w * tf.cos(x) * dy, [tf.reduce_sum(tf.sin(x) * dy)]

        return vjp

    return weighted(made, x)


@right(toys.sine)
def variable_under_a_tape(x):
    """A tape in the gradient function differentiates the forward by x and by whatever variables it is given."""

    def made(x, w):
        def vjp(*dy, **kwargs):
            found = list(kwargs.get("variables", []))
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = w * tf.sin(x)
            dx, *dv = tape.gradient(y, [x, *found], output_gradients=tf.convert_to_tensor(dy[0]))
            return dx, dv

        return vjp

    return weighted(made, x)


@right(toys.sine)
def variable_as_an_input(x):
    """The variable is read outside and passed in as a tensor, which has a gradient like any other."""

    def vjp(dy, x, w):
        return w * tf.cos(x) * dy, tf.reduce_sum(tf.sin(x) * dy)

    x = tf.convert_to_tensor(x)
    return custom(lambda x, w: w * tf.sin(x), vjp, x, weight(x.dtype))


@cache
def fixed(dtype):
    """Return a variable that is not trained; it is 1."""
    with tf.init_scope():
        return tf.Variable(1, dtype=dtype, trainable=False)


@cache
def pair(dtype):
    """Return two variables, 1 and 0."""
    with tf.init_scope():
        return tf.Variable(1, dtype=dtype), tf.Variable(0, dtype=dtype)


@right(toys.sine)
def two_variables_in_any_order(x):
    """Two variables are captured, and their gradients are returned in the order in which TensorFlow gives them."""
    x = tf.convert_to_tensor(x)
    factor, shift = pair(x.dtype)

    @tf.custom_gradient
    def forward(x):
        def vjp(dy, variables=()):
            dy = tf.convert_to_tensor(dy)
            own = {factor.ref(): tf.reduce_sum(tf.sin(x) * dy), shift.ref(): tf.reduce_sum(dy)}
            return factor * tf.cos(x) * dy, [own[v.ref()] for v in variables]

        return factor * tf.sin(x) + shift, vjp

    return forward(x)


@cache
def single():
    """Return a variable of float32, whatever the inputs are; it is 1."""
    with tf.init_scope():
        return tf.Variable(1, dtype=tf.float32)


@right(toys.sine)
def variable_of_float32(x):
    """The variable is of float32 for inputs of every type, as with mixed precision, and so is its gradient."""
    x = tf.convert_to_tensor(x)

    @tf.custom_gradient
    def forward(x):
        w = tf.cast(single(), x.dtype)

        def vjp(dy, variables=()):
            dy = tf.convert_to_tensor(dy)
            return w * tf.cos(x) * dy, [tf.cast(tf.reduce_sum(tf.sin(x) * dy), v.dtype) for v in variables]

        return w * tf.sin(x), vjp

    return forward(x)


@right(rounded)
def step_size_learned(x):
    """The step of a quantization is a variable with the gradient that LSQ gives it: a surrogate, as that of x is."""
    x = tf.convert_to_tensor(x)
    step = weight(x.dtype)

    @tf.custom_gradient
    def forward(x):
        whole = tf.round(x / step)

        def vjp(dy, variables=None):
            dy = tf.convert_to_tensor(dy)
            return dy, [tf.reduce_sum(dy * (whole - x / step))]

        return whole * step, vjp

    return forward(x)


planted_edits(
    __name__,
    """
    variable_that_is_not_trained: sine
        A variable is captured that is not trainable: TensorFlow asks for no gradient of it.
        - return tf.cos(x) * dy
        + return fixed(x.dtype) * tf.cos(x) * dy
        - return tf.sin(x), vjp
        + return fixed(x.dtype) * tf.sin(x), vjp
    variable_in_the_gradient_alone: cube
        A trainable variable of 1 is read by the gradient function alone, which TensorFlow does not ask about.
        - return 3 * x**2 * dy
        + return 3 * x**2 * dy * tf.stop_gradient(weight(x.dtype))
    """,
)
