"""Other ways to write the family `loss` in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor

from porting.bench.tf.sparse import COMPOSITION as SPARSE


def _squared_error_floor_gradient(
    prediction: Tensor, target: Tensor, *, threshold: float = 0.1, floor: float = 1.0
) -> Tensor:
    d = prediction - target
    surrogate = tf.where(tf.abs(d) < threshold, floor * tf.abs(d), d**2)
    return surrogate + tf.stop_gradient(d**2 - surrogate)


def _at(x: Tensor, labels: Tensor) -> Tensor:
    return tf.gather(x, labels, axis=-1, batch_dims=labels.shape.rank)


def _sparsemax_loss(x: Tensor, labels: Tensor) -> Tensor:
    p = SPARSE["sparsemax"](x)
    return tf.reduce_sum(p * x, -1) - _at(x, labels) + (1 - tf.reduce_sum(p**2, -1)) / 2


def _entmax15_loss(x: Tensor, labels: Tensor) -> Tensor:
    p = SPARSE["entmax15"](x)
    return tf.reduce_sum(p * x, -1) - _at(x, labels) + (1 - tf.reduce_sum(p**1.5, -1)) * 4 / 3


def _smoothed_cross_entropy(x: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    log_p = tf.nn.log_softmax(x)
    return -(1 - smoothing) * _at(log_p, labels) - smoothing * tf.reduce_mean(log_p, -1)


def _focal_loss(x: Tensor, labels: Tensor, *, gamma: float, alpha: float) -> Tensor:
    log_p = _at(tf.nn.log_softmax(x), labels)
    return -alpha * (1 - tf.exp(log_p)) ** gamma * log_p


COMPOSITION: dict[str, Callable[..., Any]] = {
    "entmax15_loss": _entmax15_loss,
    "focal_loss": _focal_loss,
    "smoothed_cross_entropy": _smoothed_cross_entropy,
    "sparsemax_loss": _sparsemax_loss,
    "squared_error_floor_gradient": _squared_error_floor_gradient,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
