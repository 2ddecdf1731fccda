"""A one-hot sample of a categorical distribution, whose gradient is that of the softmax."""

import tensorflow as tf
from tensorflow import Tensor


def gumbel_softmax(logits: Tensor, noise: Tensor, *, temperature: float, axis: int = -1) -> Tensor:
    """One-hot at the largest of logits + noise, the first of equal ones; the gradient is that of the softmax."""

    @tf.custom_gradient
    def forward(logits: Tensor, noise: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            half = _half_sum(logits, noise)
            largest = tf.stop_gradient(tf.reduce_max(half, axis=axis, keepdims=True))
            s = tf.nn.softmax((half - largest) * (2 / temperature), axis=axis)
            wide = tf.cast(dy, s.dtype)
            dz = tf.cast(s * (wide - tf.reduce_sum(wide * s, axis=axis, keepdims=True)) / temperature, dy.dtype)
            return dz, dz

        half = _half_sum(tf.stop_gradient(logits), tf.stop_gradient(noise))  # the tape keeps nothing of the forward
        size = tf.where(tf.math.is_nan(half), tf.cast(float("inf"), half.dtype), half)  # argmax passes over NaN
        return tf.one_hot(tf.argmax(size, axis), tf.shape(size)[axis], axis=axis, dtype=logits.dtype), vjp

    logits, noise = tf.identity(logits), tf.identity(noise)
    if not temperature > 0:
        raise ValueError(f"temperature={temperature}: wanted temperature > 0")
    rank = logits.shape.rank
    if rank is not None and not -rank <= axis < rank:
        raise ValueError(f"axis={axis}: wanted {-rank} <= axis < {rank}, an axis of logits")
    if axis < -1 and rank is not None:
        axis += rank  # tf.one_hot knows no other negative axis than -1
    if not noise.shape.is_compatible_with(logits.shape):
        raise ValueError(f"noise of shape {list(noise.shape)}: wanted {list(logits.shape)}, that of logits")
    return forward(logits, noise)


def _half_sum(logits: Tensor, noise: Tensor) -> Tensor:
    """Return (logits + noise) / 2: the sum may be twice the largest number."""
    if logits.dtype.size == 2:
        logits, noise = tf.cast(logits, tf.float32), tf.cast(noise, tf.float32)
    return logits / 2 + noise / 2
