import tensorflow as tf


def _lif(current: tf.Tensor, v: tf.Tensor, decay: float, threshold: float):
    """A spike, and what is left of the potential."""

    @tf.custom_gradient
    def forward(current: tf.Tensor, v: tf.Tensor):
        u = decay * v + current
        spike = tf.cast(u > threshold, u.dtype)

        def grad(d_spike, d_v):
            d_spike = tf.convert_to_tensor(d_spike)  # it may be tf.IndexedSlices
            d_v = tf.convert_to_tensor(d_v)  # it may be tf.IndexedSlices
            surrogate = 1 / (1 + tf.abs(u - threshold)) ** 2
            d_u = d_spike * surrogate + d_v
            return d_u, decay * d_u

        return (spike, u - threshold * spike), grad

    return forward(current, v)


def lif(
    current: tf.Tensor, v: tf.Tensor, *, decay: float = 0.9, threshold: float = 1.0
) -> tuple[tf.Tensor, tf.Tensor]:
    """One step of a leaky neuron."""
    if not 0 <= decay <= 1:
        raise ValueError(f"decay={decay}: wanted a number between 0 and 1")
    return _lif(current, v, decay, threshold)
