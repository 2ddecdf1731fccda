"""A spike whose gradient is a triangle."""

import tensorflow as tf
from tensorflow import Tensor


def triangular_spike(x: Tensor, *, width: float = 1.0, dampening: float = 0.3) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy (dampening / width) max(0, 1 - |x| / width)."""
    if not (width > 0 and dampening > 0):
        raise ValueError(f"width={width}, dampening={dampening}: wanted width > 0 and dampening > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return dy * (tf.nn.relu(width - tf.abs(x)) / width * (dampening / width))

        return tf.cast(x > 0, x.dtype), vjp

    return forward(tf.identity(x))
