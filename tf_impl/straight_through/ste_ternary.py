"""Three values whose gradient is that of the identity clipped at 1."""

import tensorflow as tf
from tensorflow import Tensor


def ste_ternary(x: Tensor, *, threshold: float) -> Tensor:
    """The sign of x, 0 up to the threshold, of any shape; the gradient is dy up to 1, 0 beyond."""
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold}: wanted threshold >= 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy - dy * tf.cast(tf.abs(x) > 1, dy.dtype)

        return tf.cast(x > threshold, x.dtype) - tf.cast(x < -threshold, x.dtype), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
