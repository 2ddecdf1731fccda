"""Compositions and built-ins of the family gradient for the benchmark, in TensorFlow.

The four ops that are not linear in the cotangent have no composition: no plain op has such a gradient.
"""

from collections.abc import Callable
from typing import Any

import tensorflow as tf

COMPOSITION: dict[str, Callable[..., Any]] = {
    "reverse_gradient": lambda x, *, scale=1.0: tf.stop_gradient(x + scale * x) - scale * x,
    "scale_gradient": lambda x, *, scale: tf.stop_gradient(x - scale * x) + scale * x,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
