"""ReLU whose gradient leaks with a slope from 0 down."""

import tensorflow as tf
from tensorflow import Tensor


def relu_negative_slope_gradient(x: Tensor, *, slope: float = -0.5) -> Tensor:
    """max(x, 0) of any shape; the gradient is slope dy from 0 down."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return tf.where(x > 0, dy, slope * dy)

        return tf.maximum(tf.stop_gradient(x), 0), vjp  # forward mode would differentiate x itself

    return forward(tf.identity(x))
