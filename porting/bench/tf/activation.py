"""Compositions and built-ins of the family activation for the benchmark, in TensorFlow."""

from collections.abc import Callable
from math import exp, pi, sqrt
from typing import Any

import tensorflow as tf


def _relu_negative_slope_gradient(x: Any, *, slope: float = -0.5) -> Any:
    g = tf.where(x > 0, x, slope * x)
    return g + tf.stop_gradient(tf.nn.relu(x) - g)


def _gelu_tanh(x: Any) -> Any:
    return 0.5 * x * (1 + tf.tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


def _trunc_exp(x: Any, *, limit: float = 15.0) -> Any:
    g = tf.exp(tf.minimum(x, limit)) + exp(limit) * tf.maximum(x - limit, 0)
    return g + tf.stop_gradient(tf.exp(x) - g)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "gelu_tanh": _gelu_tanh,
    "mish": lambda x: x * tf.tanh(tf.math.softplus(x)),
    "relu_negative_slope_gradient": _relu_negative_slope_gradient,
    "sigmoid_rsqrt": lambda x: tf.sigmoid(x) * tf.exp(0.5 * tf.math.log_sigmoid(-x)),
    "sin_squared": lambda x: tf.sin(x) ** 2,
    "softsign": lambda x: x / (1 + tf.abs(x)),
    "swiglu": lambda x1, x2: x1 * tf.sigmoid(x1) * x2,
    "swish": lambda x, *, beta=1.0: x * tf.sigmoid(beta * x),
    "trunc_exp": _trunc_exp,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "gelu_tanh": lambda x: tf.nn.gelu(x, approximate=True),
    "softsign": tf.nn.softsign,
    "swiglu": lambda x1, x2: tf.nn.silu(x1) * x2,
    "swish": lambda x, *, beta=1.0: tf.nn.silu(x, beta),
}
