"""The solution of z = tanh(w z + x), differentiated as a solution, not through the iterations that found it."""

from collections.abc import Callable

import tensorflow as tf
from tensorflow import Tensor


def fixed_point(x: Tensor, w: Tensor, *, tolerance: float, max_iter: int) -> Tensor:
    """z = tanh(z w^T + x), found in max_iter iterations, or when no row changes by more than tolerance of its size."""

    @tf.custom_gradient
    def forward(x: Tensor, w: Tensor):
        def vjp(dz: Tensor) -> tuple[Tensor, Tensor]:
            dz = tf.convert_to_tensor(dz)  # it may be tf.IndexedSlices
            z_wide = _wide(z)  # the one that the caller has: a second derivative goes through it
            dx = _linear(_wide(dz), tf.transpose(_wide(w)), 1 - z_wide * z_wide, tolerance, max_iter)
            return tf.cast(dx, x.dtype), tf.cast(_outer(dx, z_wide), w.dtype)

        b, wt = _wide(tf.stop_gradient(x)), tf.transpose(_wide(tf.stop_gradient(w)))  # the tape keeps no iteration
        solution = _iterate(lambda z: tf.tanh(tf.tensordot(z, wt, 1) + b), b, tolerance, max_iter)
        return tf.cast(solution, x.dtype), vjp

    x, w = tf.convert_to_tensor(x), tf.convert_to_tensor(w)
    if tolerance < 0:
        raise ValueError(f"tolerance={tolerance}: wanted tolerance >= 0")
    if max_iter < 1:
        raise ValueError(f"max_iter={max_iter}: wanted max_iter >= 1")
    square = 2 * list(x.shape[-1:])
    if not w.shape.is_compatible_with(square):
        raise ValueError(f"w of shape {list(w.shape)}: wanted {square}, by the last axis of x")
    z = forward(x, w)
    return z


def _linear(x: Tensor, w: Tensor, slope: Tensor, tolerance: float, max_iter: int) -> Tensor:
    """v = slope (v w^T + x): the equation of the gradient, and of its gradient."""

    @tf.custom_gradient
    def forward(x: Tensor, w: Tensor, slope: Tensor):
        def vjp(dv: Tensor) -> tuple[Tensor, Tensor, Tensor]:
            dx = _linear(dv, tf.transpose(w), slope, tolerance, max_iter)
            ds = (tf.tensordot(dx, w, 1) + dv) * (tf.tensordot(v, tf.transpose(w), 1) + x)
            return dx, _outer(dx, v), ds

        b, wt, s = tf.stop_gradient(x), tf.transpose(tf.stop_gradient(w)), tf.stop_gradient(slope)
        return _iterate(lambda v: s * (tf.tensordot(v, wt, 1) + b), b, tolerance, max_iter), vjp

    v = forward(x, w, slope)
    return v


def _iterate(f: Callable[[Tensor], Tensor], like: Tensor, tolerance: float, max_iter: int) -> Tensor:
    def step(z: Tensor, _: Tensor) -> tuple[Tensor, Tensor]:
        after = f(z)
        change, size = (tf.reduce_max(tf.abs(t), axis=-1) for t in (after - z, after))
        return after, tf.reduce_all(change <= tolerance * size)

    start = (tf.zeros_like(like), tf.constant(False))
    z, _ = tf.while_loop(lambda _, settled: ~settled, step, start, maximum_iterations=max_iter)
    return z


def _wide(x: Tensor) -> Tensor:
    return tf.cast(x, tf.float32) if x.dtype.size == 2 else x


def _outer(a: Tensor, b: Tensor) -> Tensor:
    """a^T b, summed over all axes but the last."""
    a, b = (tf.reshape(t, [-1, tf.shape(t)[-1]]) for t in (a, b))
    return tf.matmul(a, b, transpose_a=True)
