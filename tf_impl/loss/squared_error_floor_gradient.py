"""Squared error whose gradient does not fade near the target."""

import tensorflow as tf
from tensorflow import Tensor


def squared_error_floor_gradient(
    prediction: Tensor, target: Tensor, *, threshold: float = 0.1, floor: float = 1.0
) -> Tensor:
    """(prediction - target)^2 per element; the gradient has size floor within the threshold."""

    @tf.custom_gradient
    def forward(prediction: Tensor, target: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            d = prediction - target
            dprediction = dy * tf.where(tf.abs(d) < threshold, floor * tf.sign(d), 2 * d)
            return dprediction, -dprediction

        at, to = tf.stop_gradient(prediction), tf.stop_gradient(target)  # forward mode would differentiate the body
        return tf.math.squared_difference(at, to), vjp

    return forward(tf.identity(prediction), tf.identity(target))
