"""Compositions and built-ins of the family special for the benchmark, in TensorFlow."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf


def _bessel_ive(x: Any, *, order: int) -> Any:
    zero, one = tf.math.bessel_i0e(x), tf.math.bessel_i1e(x)
    return (zero, one, zero - 2 / x * one)[order]


def _built_in(x: Any, *, order: int) -> Any:
    return (tf.math.bessel_i0e, tf.math.bessel_i1e)[order](x)


COMPOSITION: dict[str, Callable[..., Any]] = {"bessel_ive": _bessel_ive}
BUILT_IN: dict[str, Callable[..., Any]] = {"bessel_ive": _built_in}
