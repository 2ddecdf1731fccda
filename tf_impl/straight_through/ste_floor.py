"""Floor whose gradient passes straight through."""

import tensorflow as tf
from tensorflow import Tensor


def ste_floor(x: Tensor) -> Tensor:
    """The largest integer that is not above x, of any shape; the gradient is dy."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices

        return tf.floor(x), vjp

    x = tf.identity(x)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    return forward(x)
