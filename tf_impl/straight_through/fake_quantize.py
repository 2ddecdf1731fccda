"""Integers of some bits and back; the gradient passes where nothing was clipped."""

import tensorflow as tf
from tensorflow import Tensor


def fake_quantize(x: Tensor, scale: Tensor, zero_point: Tensor, *, bits: int, signed: bool) -> Tensor:
    """The number nearest to x that an integer of so many bits stands for; the gradient is 0 where x is clipped."""

    @tf.custom_gradient
    def forward(x: Tensor):
        v = tf.stop_gradient(x)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            at = (
                x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)
            )  # waits for dy: computed again, not kept
            q = quantized(at)
            return dy * tf.cast(q == tf.clip_by_value(q, low, high), dy.dtype)

        q = tf.clip_by_value(quantized(v), low, high)
        return tf.cast((q - zero) * step, x.dtype), vjp

    def quantized(x: Tensor) -> Tensor:
        """Return the integers before they are clipped, as floats."""
        return tf.round(tf.cast(x, step.dtype) / step) + zero

    x, scale, zero_point = tf.identity(x), tf.identity(scale), tf.identity(zero_point)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    if not 1 <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted 1 <= bits <= 24")
    if zero_point.dtype not in (tf.int32, tf.int64):
        raise TypeError(f"zero_point: int32 or int64 is wanted, got {zero_point.dtype.name}")
    for name, given in (("scale", scale), ("zero_point", zero_point)):
        if given.shape.rank != 0 and not given.shape.is_compatible_with(x.shape[-1:]):
            raise ValueError(
                f"{name} of shape {list(given.shape)}: wanted [] or {list(x.shape[-1:])}, the last axis of x"
            )
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    step = tf.stop_gradient(tf.cast(scale, tf.float32 if x.dtype.size == 2 else x.dtype))
    zero = tf.cast(zero_point, step.dtype)
    return forward(x)
