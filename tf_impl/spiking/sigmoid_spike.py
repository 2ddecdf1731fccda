"""A spike whose gradient is that of the logistic function."""

import tensorflow as tf
from tensorflow import Tensor


def sigmoid_spike(x: Tensor, *, slope: float = 25.0) -> Tensor:
    """1 above 0, else 0, of any shape; the gradient is dy slope sigmoid(slope x) sigmoid(-slope x)."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            s = tf.sigmoid(-slope * tf.abs(x))  # at most 1/2, so that nothing cancels in 1 - s
            return slope * tf.raw_ops.SigmoidGrad(y=s, dy=dy)

        return tf.cast(x > 0, x.dtype), vjp

    return forward(tf.identity(x))
