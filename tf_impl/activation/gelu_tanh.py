"""Gaussian error linear unit in its tanh form; keeps its input alone."""

from math import pi, sqrt

import tensorflow as tf
from tensorflow import Tensor

LINEAR = sqrt(8 / pi)
CUBIC = 0.044715 * LINEAR


def gelu_tanh(x: Tensor) -> Tensor:
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 of any shape."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            # 0 times x^2 is NaN where x^2 overflows
            at = tf.raw_ops.ClipByValue(t=at, clip_value_min=-40, clip_value_max=40)  # one kernel, not two
            square = at * at
            z = at * (LINEAR + CUBIC * square)
            s = tf.sigmoid(z)
            rest = tf.raw_ops.SoftplusGrad(gradients=at, features=-z)  # x (1 - s): 1 - s cancels where s is near 1
            return dy * s * (1 + rest * (LINEAR + 3 * CUBIC * square))

        return v * tf.sigmoid(v * (LINEAR + CUBIC * (v * v))), vjp  # (1 + tanh(u)) / 2 = sigmoid(2 u)

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
