"""ReLU whose backward overwrites the cotangent, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def custom_relu(x: Tensor) -> Tensor:
    """max(x, 0) of any shape; the gradient is -1/2 from 0 down, whatever dy is."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return tf.where(x <= 0, tf.cast(-0.5, dy.dtype), dy)  # a bare -0.5 is float32 in a traced function

        return tf.maximum(x, 0), vjp

    return forward(tf.convert_to_tensor(x))
