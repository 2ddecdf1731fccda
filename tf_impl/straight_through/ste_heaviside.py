"""Step from 0 to 1 whose gradient is that of a clipped identity."""

import tensorflow as tf
from tensorflow import Tensor


def ste_heaviside(x: Tensor, *, clip: float = 1.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy up to the clip, 0 beyond."""
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy - dy * tf.cast(tf.abs(x) > clip, dy.dtype)

        return tf.cast(x > 0, x.dtype), vjp

    return forward(tf.identity(x))
