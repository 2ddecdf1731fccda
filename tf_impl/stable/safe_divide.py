"""Quotient that is 0 where the divisor is 0; keeps both inputs."""

import tensorflow as tf
from tensorflow import Tensor
from tensorflow.math import divide_no_nan


def safe_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """x1 / x2, both of one shape; 0 with gradients 0 where x2 is 0."""

    @tf.custom_gradient
    def forward(x1: Tensor, x2: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            return divide_no_nan(dy, x2), divide_no_nan(divide_no_nan(x1, x2), x2) * -dy

        return divide_no_nan(x1, x2), vjp

    x1, x2 = tf.identity(x1), tf.identity(x2)
    if not x1.shape.is_compatible_with(x2.shape):
        raise ValueError(f"x1 {x1.shape.as_list()}, x2 {x2.shape.as_list()}: wanted one shape")
    return forward(x1, x2)
