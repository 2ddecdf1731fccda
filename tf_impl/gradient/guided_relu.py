"""ReLU of guided backpropagation: a gradient passes only where it is positive and the input was."""

import tensorflow as tf
from tensorflow import Tensor


def guided_relu(x: Tensor) -> Tensor:
    """max(x, 0) of any shape; the gradient is dy where both x and dy are positive, else 0."""

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return tf.raw_ops.ReluGrad(gradients=tf.nn.relu(dy), features=x)

        return tf.nn.relu(x), vjp

    return forward(tf.identity(x))
