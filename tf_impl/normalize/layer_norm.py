"""Mean 0 and variance 1 over the last axis, then a gain and a bias."""

import tensorflow as tf
from tensorflow import Tensor


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, *, eps: float) -> Tensor:
    """gain (x - mean) / sqrt(variance + eps) + bias, over the last axis; gain and bias have its length."""

    @tf.custom_gradient
    def forward(x: Tensor, gain: Tensor, bias: Tensor):
        v, w, b = (tf.stop_gradient(t) for t in (x, gain, bias))  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            # waits for dy: computed again, not kept
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            unit, s = _normalised(at, eps)
            dy = tf.cast(dy, unit.dtype)
            n = tf.cast(tf.shape(x)[-1], unit.dtype)
            g = tf.cast(gain, unit.dtype) / n * dy  # of the size of a mean, so that no sum overflows
            h = g - tf.reduce_mean(g, axis=-1, keepdims=True)
            dx = (h - unit * tf.reduce_mean(h * unit, axis=-1, keepdims=True)) * (n / s)
            leading = tf.range(tf.rank(x) - 1)
            dgain, dbias = tf.reduce_sum(dy * unit, axis=leading), tf.reduce_sum(dy, axis=leading)
            return tf.cast(dx, x.dtype), tf.cast(dgain, gain.dtype), tf.cast(dbias, b.dtype)

        unit, _ = _normalised(v, eps)
        half_gain, half_bias = tf.cast(w, unit.dtype) / 2, tf.cast(b, unit.dtype) / 2  # the halves do not overflow
        return tf.cast(2 * (half_gain * unit + half_bias), x.dtype), vjp

    x, gain, bias = tf.identity(x), tf.identity(gain), tf.identity(bias)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    for name, given in (("gain", gain), ("bias", bias)):
        if not x.shape[-1:].is_compatible_with(given.shape):
            raise ValueError(f"{name} of shape {list(given.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    return forward(x, gain, bias)


def _normalised(x: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """Return c / s and s, where c = x - mean(x); halves and squares of scaled rows do not overflow."""
    x, root = (tf.cast(x, tf.float32) if x.dtype.size == 2 else x) / 2, eps**0.5 / 2
    c = x - tf.reduce_sum(x / tf.cast(tf.shape(x)[-1], x.dtype), axis=-1, keepdims=True)
    scale = tf.maximum(tf.stop_gradient(tf.reduce_max(tf.abs(c), axis=-1, keepdims=True)), root)
    c = c / scale
    s = tf.sqrt(tf.reduce_mean(c * c, axis=-1, keepdims=True) + tf.square(root / scale))
    return c / s, 2 * scale * s
