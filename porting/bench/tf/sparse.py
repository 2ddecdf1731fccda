"""Other ways to write the family `sparse` in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def _counted(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Return x in descending order and the numbers 1, 2, 3, ... beside it."""
    return tf.sort(x, axis, direction="DESCENDING"), tf.cumsum(tf.ones_like(x), axis)


def _last(values: Tensor, inside: Tensor, axis: int) -> Tensor:
    """Return the value at the end of the support, which is the largest inside it."""
    return tf.reduce_max(tf.where(inside, values, values.dtype.min), axis, keepdims=True)


def _sparsemax(x: Tensor, *, axis: int = -1) -> Tensor:
    ordered, k = _counted(x, axis)
    sums = tf.cumsum(ordered, axis)
    return tf.nn.relu(x - _last((sums - 1) / k, 1 + k * ordered > sums, axis))


def _entmax15(x: Tensor, *, axis: int = -1) -> Tensor:
    half = x / 2
    half = half - tf.reduce_max(half, axis, keepdims=True)
    ordered, k = _counted(half, axis)
    mean = tf.cumsum(ordered, axis) / k
    variance = tf.cumsum(ordered**2, axis) / k - mean**2
    tau = mean - tf.sqrt(tf.nn.relu(1 / k - variance))
    return tf.nn.relu(half - _last(tau, tau <= ordered, axis)) ** 2


def _masked_softmax(x: Tensor, mask: Tensor, *, axis: int = -1) -> Tensor:
    left = tf.cast(mask, tf.bool)
    return tf.where(left, tf.nn.softmax(tf.where(left, x, x.dtype.min), axis), 0)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "entmax15": _entmax15,
    "masked_softmax": _masked_softmax,
    "sparsemax": _sparsemax,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
