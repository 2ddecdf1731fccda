"""Sign of two values whose gradient is that of a clipped identity."""

import tensorflow as tf
from tensorflow import Tensor


def ste_sign(x: Tensor, *, clip: float = 1.0) -> Tensor:
    """+1 from 0 up, -1 below, of any shape; the gradient is dy up to the clip, 0 beyond."""
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy - dy * tf.cast(tf.abs(x) > clip, dy.dtype)

        return 1 - 2 * tf.cast(x < 0, x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
