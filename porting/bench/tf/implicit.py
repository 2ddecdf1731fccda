"""Other ways to write the family `implicit` in TensorFlow: differentiated through every iteration and step."""

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def fixed_point(x: Tensor, w: Tensor, *, tolerance: float, max_iter: int) -> Tensor:
    """Iterate, with the same test to stop."""

    def step(z: Tensor, _: Tensor) -> tuple[Tensor, Tensor]:
        after = tf.tanh(tf.matmul(z, w, transpose_b=True) + x)
        change, size = (tf.reduce_max(tf.abs(t), axis=-1) for t in (after - z, after))
        return after, tf.reduce_all(change <= tolerance * size)

    start = (tf.zeros_like(x), tf.constant(False))
    return tf.while_loop(lambda _, settled: ~settled, step, start, maximum_iterations=max_iter)[0]


def ode_rk4_adjoint(x: Tensor, w: Tensor, *, steps: int, dt: float) -> Tensor:
    """Unrolled."""
    for _ in range(steps):
        k1 = tf.tanh(tf.matmul(x, w, transpose_b=True))
        k2 = tf.tanh(tf.matmul(x + dt / 2 * k1, w, transpose_b=True))
        k3 = tf.tanh(tf.matmul(x + dt / 2 * k2, w, transpose_b=True))
        k4 = tf.tanh(tf.matmul(x + dt * k3, w, transpose_b=True))
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def sinkhorn(cost: Tensor, *, epsilon: float, iterations: int) -> Tensor:
    """Unrolled."""
    n, m = cost.shape[-2:]
    logits = -cost / epsilon
    f = tf.zeros_like(logits[..., :1])
    for _ in range(iterations):
        g = -tf.reduce_logsumexp(logits + f, axis=-2, keepdims=True) - math.log(m)
        f = -tf.reduce_logsumexp(logits + g, axis=-1, keepdims=True) - math.log(n)
    return tf.exp(logits + f + g)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "fixed_point": fixed_point,
    "ode_rk4_adjoint": ode_rk4_adjoint,
    "sinkhorn": sinkhorn,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
