"""The solution of z = tanh(w z + x), differentiated as a solution, not through the iterations that found it."""

import tensorflow as tf
from tensorflow import Tensor


def fixed_point(x: Tensor, w: Tensor, *, tolerance: float, max_iter: int) -> Tensor:
    """z = tanh(z w^T + x), found in max_iter iterations, or when no row changes by more than tolerance of its size."""

    @tf.custom_gradient
    def known(x: Tensor, w: Tensor, z: Tensor):
        """z, which is known, as the function of x and w that it is: the tape keeps no iteration."""

        def vjp(dz: Tensor) -> tuple[Tensor, Tensor, None]:
            dz = tf.convert_to_tensor(dz)  # it may be tf.IndexedSlices
            rows = _rows(known(x, w, z))  # as a function once more, for the second derivative
            dx = _linear(_rows(dz), tf.transpose(_rows(w)), 1 - rows * rows, tolerance, max_iter)
            dw = tf.matmul(dx, rows, transpose_a=True)
            return tf.cast(tf.reshape(dx, tf.shape(x)), x.dtype), tf.cast(dw, w.dtype), None

        return tf.identity(z), vjp

    x, w = tf.identity(x), tf.identity(w)
    if tolerance < 0:
        raise ValueError(f"tolerance={tolerance}: wanted tolerance >= 0")
    if max_iter < 1:
        raise ValueError(f"max_iter={max_iter}: wanted max_iter >= 1")
    if x.shape.rank is not None and not w.shape.is_compatible_with(2 * list(x.shape[-1:])):
        square = 2 * list(x.shape[-1:])
        raise ValueError(f"w of shape {list(w.shape)}: wanted {square}, by the last axis of x")
    b, u = _rows(tf.stop_gradient(x)), _rows(tf.stop_gradient(w))
    solution = _iterate(b, u, None, *_limits(b, tolerance, max_iter))
    return known(x, w, tf.cast(tf.reshape(solution, tf.shape(x)), x.dtype))


def _linear(x: Tensor, w: Tensor, slope: Tensor, tolerance: float, max_iter: int) -> Tensor:
    """v = slope (v w^T + x): the equation of the gradient, and of its gradient."""

    @tf.custom_gradient
    def known(x: Tensor, w: Tensor, slope: Tensor, v: Tensor):
        def vjp(dv: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
            at = known(x, w, slope, v)
            dx = _linear(dv, tf.transpose(w), slope, tolerance, max_iter)
            ds = (tf.matmul(dx, w) + dv) * (tf.matmul(at, w, transpose_b=True) + x)
            return dx, tf.matmul(dx, at, transpose_a=True), ds, None

        return tf.identity(v), vjp

    b, u, s = tf.stop_gradient(x), tf.stop_gradient(w), tf.stop_gradient(slope)
    return known(x, w, slope, _iterate(b, u, s, *_limits(b, tolerance, max_iter)))


@tf.function(reduce_retracing=True, autograph=False)  # eagerly, each iteration would be a dozen calls
def _iterate(x: Tensor, w: Tensor, slope: Tensor | None, tolerance: Tensor, max_iter: Tensor) -> Tensor:
    """Return the z with z = tanh(z w^T + x), or with z = slope (z w^T + x)."""

    def step(z: Tensor, _: Tensor) -> tuple[Tensor, Tensor]:
        after = tf.matmul(z, w, transpose_b=True) + x
        after = tf.tanh(after) if slope is None else slope * after
        change, size = (tf.reduce_max(tf.abs(t), axis=-1) for t in (after - z, after))
        return after, tf.reduce_all(change <= tolerance * size)

    start = (tf.zeros_like(x), tf.constant(False))
    z, _ = tf.while_loop(lambda _, settled: ~settled, step, start, maximum_iterations=max_iter)
    return z


def _limits(x: Tensor, tolerance: float, max_iter: int) -> tuple[Tensor, Tensor]:
    """Tensors: for each Python number tf.function would trace anew, and keep the trace."""
    return tf.constant(tolerance, x.dtype), tf.constant(max_iter)


def _rows(x: Tensor) -> Tensor:
    """x as a matrix, in float32 at least: tf.tensordot would make one in each iteration."""
    n = tf.shape(x)[-1] if x.shape[-1] is None else x.shape[-1]
    return tf.reshape(tf.cast(x, tf.float32) if x.dtype.size == 2 else x, [-1, n])
