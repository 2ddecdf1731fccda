"""Compositions and built-ins of the family stable for the benchmark, in TensorFlow."""

from collections.abc import Callable
from math import log
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def _log_cosh(x: Any) -> Any:
    return x + tf.math.softplus(-2 * x) - log(2)  # no digits near 0


def _safe_divide(x1: Any, x2: Any) -> Any:
    zero = tf.equal(x2, 0)
    return tf.where(zero, tf.zeros_like(x1), x1 / tf.where(zero, tf.ones_like(x2), x2))


def _log1p_exp(x: Any) -> Any:
    return tf.maximum(x, 0) + tf.math.log1p(tf.exp(-tf.abs(x)))


def _logaddexp(x1: Any, x2: Any) -> Any:
    return tf.maximum(x1, x2) + tf.math.log1p(tf.exp(-tf.abs(x1 - x2)))


def _logsumexp(x: Any, *, axis: int) -> Any:
    m = tf.stop_gradient(tf.reduce_max(x, axis, keepdims=True))
    return tf.math.log(tf.reduce_sum(tf.exp(x - m), axis)) + tf.squeeze(m, axis)


def _safe_log(x: Tensor, *, eps: float) -> Tensor:
    v = tf.stop_gradient(x)
    c = tf.maximum(v, eps)
    return tf.math.log(c) + (x - v) / c


def _safe_sqrt(x: Tensor, *, eps: float) -> Tensor:
    v = tf.stop_gradient(x)
    return tf.sqrt(tf.maximum(v, 0)) + (x - v) / (2 * tf.sqrt(tf.maximum(v, eps)))


COMPOSITION: dict[str, Callable[..., Any]] = {
    "artanh": lambda x: 0.5 * (tf.math.log1p(x) - tf.math.log1p(-x)),
    "log1p_exp": _log1p_exp,
    "log_cosh": _log_cosh,
    "logaddexp": _logaddexp,
    "logsumexp": _logsumexp,
    "safe_divide": _safe_divide,
    "safe_log": _safe_log,
    "safe_norm": lambda x, *, axis: tf.sqrt(tf.reduce_sum(x * x, axis)),
    "safe_sqrt": _safe_sqrt,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "artanh": tf.math.atanh,
    "log1p_exp": tf.math.softplus,
    "logsumexp": lambda x, *, axis: tf.reduce_logsumexp(x, axis),
    "safe_divide": tf.math.divide_no_nan,
    "safe_norm": lambda x, *, axis: tf.norm(x, axis=axis),
}
