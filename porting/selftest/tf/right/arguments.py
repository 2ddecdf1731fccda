"""How inputs come in and outputs go out: by stars, in lists and dictionaries, by place only; None for an index."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from functools import wraps
from typing import NamedTuple

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.product)
def stars_everywhere(*inputs):
    """Inputs, cotangents and keyword arguments come through stars."""

    @tf.custom_gradient
    def forward(*args, **kwargs):
        x1, x2 = args

        def vjp(*dys, **unused):
            dy = tf.convert_to_tensor(dys[0])
            return 2 * x1 * dy * x2, x1 * dy * x1

        return x1 * x2 * x1, vjp

    return forward(*[tf.convert_to_tensor(x) for x in inputs])


@right(toys.product)
def inputs_in_a_list(x1, x2):
    """The decorated function takes one list of both inputs, and its gradient returns one."""

    @tf.custom_gradient
    def forward(inputs):
        x1, x2 = inputs
        return x1 * x2 * x1, lambda dy: [2 * x1 * dy * x2, x1 * dy * x1]

    return forward([tf.convert_to_tensor(x1), tf.convert_to_tensor(x2)])


@right(toys.sin_cos)
def outputs_in_a_dictionary(x):
    """The outputs stand in a dictionary: TensorFlow sorts its keys, so the cosine's cotangent comes first."""

    @tf.custom_gradient
    def forward(x):
        def vjp(dcos, dsin):
            return tf.cos(x) * dsin - tf.sin(x) * dcos

        return {"sin": tf.sin(x), "cos": tf.cos(x)}, vjp

    both = forward(tf.convert_to_tensor(x))
    return both["sin"], both["cos"]


@right(toys.sin_cos)
def outputs_of_two_functions(x):
    """Each output has a decorated function of its own; the tape adds the two gradients."""
    return (
        custom(tf.sin, lambda dy, x: tf.cos(x) * dy, x),
        custom(tf.cos, lambda dy, x: -tf.sin(x) * dy, x),
    )


@right(toys.take_rows)
def none_for_the_indices(x, i):
    """The indices are an argument too, whose gradient is None."""

    @tf.custom_gradient
    def forward(x, i):
        def vjp(dy):
            return tf.math.unsorted_segment_sum(tf.convert_to_tensor(dy), i, tf.shape(x)[0]), None

        return tf.gather(x, i), vjp

    return forward(tf.convert_to_tensor(x), tf.convert_to_tensor(i))


@right(toys.power)
def static_as_a_tensor(x, *, exponent=3):
    """The static becomes a tensor and an argument, whose gradient is None."""

    @tf.custom_gradient
    def forward(x, n):
        def vjp(dy):
            return tf.convert_to_tensor(dy) * n * x ** (n - 1), None

        return x**n, vjp

    x = tf.convert_to_tensor(x)
    return forward(x, tf.constant(exponent, x.dtype))


@right(toys.product)
def positional_only(x1, x2, /):
    """The inputs can be given by place only, so that nobody can pass by the custom gradient."""
    return custom(lambda x1, x2: x1 * x2 * x1, lambda dy, x1, x2: (2 * x1 * dy * x2, x1 * dy * x1), x1, x2)


@right(toys.cube)
def by_another_name(inputs, training=False, name=None):
    """The input has another name than in the truth, and further arguments stand behind it with their defaults."""
    with tf.name_scope(name or "cube"):
        return custom(lambda x: x**3, lambda dy, x: 3 * x**2 * dy, inputs)


@right(toys.power)
def keywords_in_a_star(x, **settings):
    """The statics come through two stars, and the default stands inside."""
    exponent = settings.pop("exponent", 3)
    return custom(lambda x: x**exponent, lambda dy, x: exponent * x ** (exponent - 1) * dy, x)


class SinCos(NamedTuple):
    """Two outputs by name."""

    sin: tf.Tensor
    cos: tf.Tensor


@right(toys.sin_cos)
def outputs_in_a_named_tuple(x):
    """The outputs are a named tuple."""

    def vjp(dsin, dcos, x):
        return tf.cos(x) * dsin - tf.sin(x) * dcos

    return custom(lambda x: SinCos(sin=tf.sin(x), cos=tf.cos(x)), vjp, x)


def passed_on(function):
    """Wrap a function, as a decorator does that counts or times calls: inputs are passed on by place."""

    @wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@right(toys.sine)
@passed_on
def wrapped_by_place(x):
    """A decorator stands around the function, and passes on what is given by place."""
    return custom(tf.sin, lambda dy, x: tf.cos(x) * dy, x)


planted_edits(
    __name__,
    """
    list_of_one: cube
        The one gradient is returned in a list.
        - return 3 * x**2 * dy
        + return [3 * x**2 * dy]
    """,
)
