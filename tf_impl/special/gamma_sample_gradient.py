"""A sample of the gamma distribution with the gradient of its shape: implicit reparameterisation."""

import tensorflow as tf
from tensorflow import Tensor


def gamma_sample_gradient(alpha: Tensor, sample: Tensor) -> Tensor:
    """The sample, drawn with the shape alpha, an array of the same shape; differentiable by alpha, once."""
    alpha, sample = tf.identity(alpha), tf.identity(sample)
    if not alpha.shape.is_compatible_with(sample.shape):
        raise ValueError(f"sample: wanted the shape of alpha, {alpha.shape.as_list()}, got {sample.shape.as_list()}")

    @tf.custom_gradient
    def forward(alpha: Tensor, sample: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, None]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            a, z = tf.cast(alpha, tf.float64), tf.cast(sample, tf.float64)  # in float32 it is 0 in the lower tail
            g = tf.raw_ops.RandomGammaGrad(alpha=a, sample=z)
            return dy * tf.cast(g, dy.dtype), None

        return tf.identity(sample), vjp

    return forward(alpha, sample)
