"""The value as it is, the gradient no longer than max_norm."""

import tensorflow as tf
from tensorflow import Tensor


def clip_gradient_norm(x: Tensor, *, max_norm: float, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """x of any shape; the gradient is dy, shortened to max_norm over the axes where it is longer."""
    x = tf.identity(x)
    if not max_norm >= 0:
        raise ValueError(f"max_norm={max_norm}: wanted max_norm >= 0")
    if axis is not None:
        axes, rank = (axis,) if isinstance(axis, int) else axis, x.shape.rank
        if not axes or len({k % rank for k in axes if -rank <= k < rank}) < len(axes):
            raise ValueError(f"axis={axis}: wanted None or different axes of x {list(x.shape)}")

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            v = tf.cast(dy, tf.float64 if dy.dtype == tf.float64 else tf.float32)
            m = tf.reduce_max(tf.abs(tf.stop_gradient(v)), axis, keepdims=True)  # dx does not depend on it
            u = v / tf.where(m > 0, m, 1)
            s = tf.sqrt(tf.maximum(tf.reduce_sum(u * u, axis, keepdims=True), 0.25))  # the sum is 0, or 1 at least
            short = m * s <= max_norm  # not if NaN
            dx = v / tf.where(short, tf.ones_like(m), m) * (tf.where(short, s, max_norm) / s)
            return tf.cast(dx, dy.dtype)

        return tf.identity(x), vjp

    return forward(x)
