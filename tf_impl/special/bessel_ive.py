"""Modified Bessel function of the first kind and of order 0, 1 or 2, times e^-|x|."""

from math import factorial

import tensorflow as tf
from tensorflow import Tensor

TURN = 4.0  # below, the recurrence cancels; above, the power series is long
TERMS = 17


def bessel_ive(x: Tensor, *, order: int) -> Tensor:
    """I_n(x) e^-|x| of any shape, for n = 0, 1, 2."""
    if order not in (0, 1, 2):
        raise ValueError(f"order={order!r}: wanted 0, 1 or 2")
    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return _ive(x, order)


def _ive(x: Tensor, order: int) -> Tensor:
    """Any small order: each derivative needs one more."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            at = (
                x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            )  # waits for dy: computed again, not kept
            beside = 0.5 * (_ive(at, order - 1) + _ive(at, order + 1)) if order else _ive(at, 1)
            return dy * (beside - tf.sign(at) * _ive(at, order))

        return tf.cast(_value(tf.cast(v, tf.float32) if v.dtype.size == 2 else v, order), x.dtype), vjp

    return forward(x)


def _value(x: Tensor, order: int) -> Tensor:
    if order < 2:
        return tf.math.bessel_i1e(x) if order else tf.math.bessel_i0e(x)
    series = _series(tf.clip_by_value(x, -TURN, TURN), order)
    return tf.where(tf.abs(x) < TURN, series, _recurrence(x, order))


def _series(x: Tensor, order: int) -> Tensor:
    """Sum of positive terms, for |x| up to TURN."""
    half = 0.5 * x
    square, total = half * half, tf.zeros_like(x)
    for k in reversed(range(TERMS)):
        total = total * square + 1 / (factorial(k) * factorial(k + order))
    return half**order * total * tf.exp(-tf.abs(x))


def _recurrence(x: Tensor, order: int) -> Tensor:
    """From order 0 and 1 upwards, for |x| from TURN."""
    x = tf.where(tf.abs(x) < TURN, tf.constant(TURN, x.dtype), x)
    lower, upper = tf.math.bessel_i0e(x), tf.math.bessel_i1e(x)
    for k in range(1, order):
        lower, upper = upper, lower - (2 * k / x) * upper
    return upper
