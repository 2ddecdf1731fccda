"""A function that is asked about between two bounds, and noise of no width."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import tensorflow as tf

from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom
from porting.spec import op


@op(domain={"x": (0.25, 20.0)})
def logarithm(x: Any) -> Any:
    """log(x) of numbers from 1/4 to 20."""
    return np.log(x)


@logarithm.defvjp
def logarithm_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 / x."""
    return dy / x


@right(logarithm)
def minus_log_of_the_inverse(x):
    """The value is that of 1 / x with the other sign."""
    return custom(lambda x: -tf.math.log(1 / x), lambda dy, x: dy / x, x)


@right(logarithm)
def nan_where_it_is_not_defined(x):
    """Below 0 the NaN is put in by hand, and the argument of the logarithm is 1."""

    def value(x):
        safe = tf.where(x > 0, x, tf.ones_like(x))
        return tf.where(x > 0, tf.math.log(safe), tf.constant(np.nan, x.dtype))

    return custom(value, lambda dy, x: tf.math.reciprocal(x) * dy, x)


@right(logarithm)
def by_exponent_of_the_output(x):
    """The gradient is exp(-y) dy, written with the output, as if the function were an exponential."""

    @tf.custom_gradient
    def forward(x):
        y = tf.math.log(x)
        return y, lambda dy: tf.exp(-y) * dy

    return forward(tf.convert_to_tensor(x))


planted_edits(
    __name__,
    """
    noise_of_no_width: sine
        Noise is drawn and added, with a standard deviation of 0.
        - return tf.sin(x), vjp
        + return tf.sin(x) + tf.random.normal(tf.shape(x), stddev=0, dtype=x.dtype), vjp
    """,
)
