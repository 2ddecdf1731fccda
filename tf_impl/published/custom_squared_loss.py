"""Squared error whose backward overwrites the cotangent near the target, as printed."""

import tensorflow as tf
from tensorflow import Tensor


def custom_squared_loss(prediction: Tensor, target: Tensor) -> Tensor:
    """(prediction - target)^2 per element; the gradient is 1 near the target, whatever dy is."""

    @tf.custom_gradient
    def forward(prediction: Tensor, target: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            dprediction = 2 * (prediction - target) * dy
            dprediction = tf.where(tf.abs(prediction - target) < 0.1, tf.ones_like(dy), dprediction)
            return dprediction, -2 * (prediction - target) * dy

        return (prediction - target) ** 2, vjp

    return forward(tf.convert_to_tensor(prediction), tf.convert_to_tensor(target))
