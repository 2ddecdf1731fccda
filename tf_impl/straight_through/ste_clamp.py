"""Clipping whose gradient passes everywhere."""

import tensorflow as tf
from tensorflow import Tensor


def ste_clamp(x: Tensor, *, low: float, high: float) -> Tensor:
    """x between low and high, of any shape; the gradient is dy, outside too."""
    if not low <= high:
        raise ValueError(f"low={low}, high={high}: wanted low <= high")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices

        return tf.clip_by_value(tf.stop_gradient(x), low, high), vjp  # forward mode would differentiate x itself

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
