"""Steps of the classical Runge-Kutta method for x' = tanh(w x), and their adjoint."""

import tensorflow as tf
from tensorflow import Tensor

AHEAD = (1 / 2, 1 / 2, 1.0, 0.0)  # how far along each slope the next point lies; nothing lies behind the last
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)


def ode_rk4_adjoint(x: Tensor, w: Tensor, *, steps: int, dt: float) -> Tensor:
    """x after `steps` steps of length dt along x' = tanh(x w^T)."""

    @tf.custom_gradient
    def forward(x: Tensor, w: Tensor):
        v, u = tf.stop_gradient(x), tf.stop_gradient(w)  # the tape keeps nothing of the forward

        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            at = x if tf.executing_eagerly() else tf.where(tf.math.is_nan(dy), dy, x)  # waits for dy: not kept
            wide = _rows(w)
            dx, dw = _rows(dy), tf.zeros_like(wide)
            for state in reversed(_states(_rows(at), wide, steps - 1, dt)):
                q, total = tf.zeros_like(dx), dx
                for p, k, a, b in reversed([*zip(*_stages(state, wide, dt), AHEAD, WEIGHTS, strict=True)]):
                    g = dt * (b * dx + a * q) * (1 - k * k)
                    q = tf.matmul(g, wide)
                    total += q
                    dw += tf.matmul(g, p, transpose_a=True)
                dx = total
            return tf.cast(tf.reshape(dx, tf.shape(x)), x.dtype), tf.cast(dw, w.dtype)

        y = _states(_rows(v), _rows(u), steps, dt)[-1]
        return tf.cast(tf.reshape(y, tf.shape(x)), x.dtype), vjp

    x, w = tf.identity(x), tf.identity(w)
    if steps < 1:
        raise ValueError(f"steps={steps}: wanted steps >= 1")
    if x.shape.rank is not None and not w.shape.is_compatible_with(2 * list(x.shape[-1:])):
        square = 2 * list(x.shape[-1:])
        raise ValueError(f"w of shape {list(w.shape)}: wanted {square}, by the last axis of x")
    return forward(x, w)


def _rows(x: Tensor) -> Tensor:
    """x as a matrix, in float32 at least: tf.tensordot would make one at each point."""
    n = tf.shape(x)[-1] if x.shape[-1] is None else x.shape[-1]
    return tf.reshape(tf.cast(x, tf.float32) if x.dtype.size == 2 else x, [-1, n])


def _stages(x: Tensor, w: Tensor, dt: float) -> tuple[list[Tensor], list[Tensor]]:
    """Return the four points of a step, and the slopes there."""
    points, slopes = [], []
    p = x
    for a in AHEAD:
        k = tf.tanh(tf.matmul(p, w, transpose_b=True))
        points.append(p)
        slopes.append(k)
        p = x + a * dt * k
    return points, slopes


def _states(x: Tensor, w: Tensor, steps: int, dt: float) -> list[Tensor]:
    """Return x and what it becomes after each step."""
    states = [x]
    for _ in range(steps):
        k1, k2, k3, k4 = _stages(states[-1], w, dt)[1]
        states.append(states[-1] + dt / 6 * (k1 + 2 * (k2 + k3) + k4))
    return states
