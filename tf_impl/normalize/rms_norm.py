"""Division by the root mean square over the last axis, times a gain."""

import tensorflow as tf
from tensorflow import Tensor


def rms_norm(x: Tensor, gain: Tensor, *, eps: float) -> Tensor:
    """gain x / sqrt(mean(x^2) + eps), the mean over the last axis; the gain has the length of that axis."""

    @tf.custom_gradient
    def forward(x: Tensor, gain: Tensor):
        v, w = tf.stop_gradient(x), tf.stop_gradient(gain)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            unit, r = _normalised(at, eps)
            dy = tf.cast(dy, unit.dtype)
            n = tf.cast(tf.shape(x)[-1], unit.dtype)
            g = tf.cast(gain, unit.dtype) / n * dy  # of the size of a mean, so that no sum overflows
            dx = (g - unit * tf.reduce_mean(g * unit, axis=-1, keepdims=True)) * (n / r)
            dgain = tf.reduce_sum(dy * unit, axis=tf.range(tf.rank(x) - 1))
            return tf.cast(dx, x.dtype), tf.cast(dgain, gain.dtype)

        unit, _ = _normalised(v, eps)
        return tf.cast(tf.cast(w, unit.dtype) * unit, x.dtype), vjp

    x, gain = tf.identity(x), tf.identity(gain)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    if not x.shape[-1:].is_compatible_with(gain.shape):
        raise ValueError(f"gain of shape {list(gain.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    return forward(x, gain)


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return x / r and r; nothing overflows, since the squares are those of scaled rows."""
    x = tf.cast(x, tf.float32) if x.dtype.size == 2 else x
    scale = tf.maximum(tf.stop_gradient(tf.reduce_max(tf.abs(x), axis=-1, keepdims=True)), eps**0.5)
    x = x / scale
    r = tf.sqrt(tf.reduce_mean(x * x, axis=-1, keepdims=True) + tf.square(eps**0.5 / scale))
    return x / r, scale * r
