"""Square root whose gradient is finite at 0; keeps its input."""

import tensorflow as tf
from tensorflow import Tensor


def safe_sqrt(x: Tensor, *, eps: float) -> Tensor:
    """sqrt(max(x, 0)) of any shape; the gradient is dy / (2 sqrt(max(x, eps)))."""
    if not eps > 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return 0.5 * dy / tf.sqrt(tf.maximum(x, eps))

        return tf.sqrt(tf.maximum(v, 0)), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
