"""Other ways to write the family `spiking` in TensorFlow."""

from collections.abc import Callable
from math import pi
from typing import Any

import tensorflow as tf


def _spike(x: Any, soft: Any) -> Any:
    """[x > 0] with the gradient of `soft`."""
    return soft + tf.stop_gradient(tf.cast(x > 0, x.dtype) - soft)


def _fast_sigmoid_spike(x: Any, *, slope: float = 25.0) -> Any:
    return _spike(x, x / (1 + slope * tf.abs(x)))


def _triangular_spike(x: Any, *, width: float = 1.0, dampening: float = 0.3) -> Any:
    t = tf.clip_by_value(x / width, -1, 1)
    return _spike(x, dampening * (t - t * tf.abs(t) / 2))


def _lif_step(x: Any, v: Any, *, decay: float, threshold: float, slope: float) -> tuple[Any, Any]:
    u = decay * v + x
    s = _fast_sigmoid_spike(u - threshold, slope=slope)
    return s, u - threshold * tf.stop_gradient(s)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "atan_spike": lambda x, *, alpha=2.0: _spike(x, tf.atan(pi / 2 * alpha * x) / pi),
    "fast_sigmoid_spike": _fast_sigmoid_spike,
    "lif_step": _lif_step,
    "sigmoid_spike": lambda x, *, slope=25.0: _spike(x, tf.sigmoid(slope * x)),
    "triangular_spike": _triangular_spike,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
