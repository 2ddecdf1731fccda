"""Other ways to write the family `normalize` in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, *, eps: float) -> Tensor:
    """Operation by operation."""
    mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
    return tf.nn.batch_normalization(x, mean, variance, bias, gain, eps)


def rms_norm(x: Tensor, gain: Tensor, *, eps: float) -> Tensor:
    """Operation by operation."""
    return gain * x * tf.math.rsqrt(tf.reduce_mean(x * x, axis=-1, keepdims=True) + eps)


COMPOSITION: dict[str, Callable[..., Any]] = {"layer_norm": layer_norm, "rms_norm": rms_norm}
BUILT_IN: dict[str, Callable[..., Any]] = {}
