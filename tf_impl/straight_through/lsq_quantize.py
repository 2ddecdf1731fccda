"""Quantisation whose step is learned."""

import tensorflow as tf
from tensorflow import Tensor


def lsq_quantize(x: Tensor, step: Tensor, *, bits: int, signed: bool) -> Tensor:
    """x / step clipped, rounded, times step; the gradient of the step is scaled by 1 / sqrt(n high)."""

    @tf.custom_gradient
    def forward(x: Tensor, step: Tensor):
        v, s = tf.stop_gradient(x), tf.stop_gradient(step)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            at = (
                x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            )  # waits for dy: computed again, not kept
            r = _wide(at) / _wide(step)
            wide = tf.cast(dy, r.dtype)
            inside = tf.cast((low < r) & (r < high), r.dtype)
            r = tf.clip_by_value(r, low, high)
            scale = (tf.cast(tf.maximum(tf.size(x), 1), r.dtype) * high) ** -0.5
            dstep = scale * tf.reduce_sum(wide * (tf.round(r) - r * inside))
            return tf.cast(wide * inside, x.dtype), tf.cast(dstep, step.dtype)

        y = tf.round(tf.clip_by_value(_wide(v) / _wide(s), low, high)) * _wide(s)
        return tf.cast(y, x.dtype), vjp

    x, step = tf.identity(x), tf.identity(step)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if not 1 + signed <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted {1 + signed} <= bits <= 24")
    if step.shape.rank not in (None, 0):
        raise ValueError(f"step of shape {list(step.shape)}: wanted []")
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return forward(x, step)


def _wide(x: Tensor) -> Tensor:
    return tf.cast(x, tf.float32) if x.dtype.size == 2 else x
