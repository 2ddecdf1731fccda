"""Other types on the way, constants of NumPy's, complex numbers."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import tensorflow as tf

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import right
from porting.selftest.tf.twins import custom


@right(toys.softmax)
def sixteen_bits_through_float32(x):
    """Of 16 bits the softmax is computed in float32, and of the other types in their own."""

    def wide(x):
        return tf.cast(x, tf.float32) if x.dtype.size == 2 else x

    def vjp(dy, x):
        y, dy = tf.nn.softmax(wide(x)), wide(dy)
        return tf.cast(y * (dy - tf.reduce_sum(dy * y, axis=-1, keepdims=True)), x.dtype)

    return custom(lambda x: tf.cast(tf.nn.softmax(wide(x)), x.dtype), vjp, x)


@right(toys.cube)
def number_from_numpy(x):
    """The 3 is a float64 number of NumPy's, which is a Python number too, so that TensorFlow casts it."""
    three = np.sqrt(np.float64(9))
    return custom(lambda x: x * x * x, lambda dy, x: three * x * dy * x, x)


@right(toys.square)
def conjugate_of_a_product(x):
    """The cotangent is conjugated and so is the product: the conjugate of x alone is left."""
    return custom(lambda x: x**2, lambda dy, x: tf.math.conj(2 * x * tf.math.conj(dy)), x)


@right(toys.cube)
def array_of_numpy(x):
    """The 3 is a float64 array of NumPy's without axes, which TensorFlow casts when a tensor stands on its left."""
    return custom(lambda x: x**3, lambda dy, x: x**2 * np.array(3.0) * dy, x)


planted_edits(
    __name__,
    """
    through_float64: sine
        Everything is computed in float64 and cast back to the type of the input.
        - return tf.cos(x) * dy
        + return tf.cast(tf.cos(tf.cast(x, tf.float64)) * tf.cast(dy, tf.float64), x.dtype)
        - return tf.sin(x), vjp
        + return tf.cast(tf.sin(tf.cast(x, tf.float64)), x.dtype), vjp
    constant_of_the_input_s_type: cube
        The 3 is a tensor of the input's own type.
        - return 3 * x**2 * dy
        + return tf.constant(3, x.dtype) * x**2 * dy
    by_real_and_imaginary_part: square
        The conjugate is put together from real and imaginary part; of real numbers it is the number.
        - return 2 * tf.math.conj(x) * dy
        + def conjugate(x):
        +     return tf.complex(tf.math.real(x), -tf.math.imag(x)) if x.dtype.is_complex else x
        + return 2 * conjugate(x) * dy
    """,
)
