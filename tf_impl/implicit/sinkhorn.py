"""The transport plan between uniform marginals, with entropy, differentiated at the solution."""

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def sinkhorn(cost: Tensor, *, epsilon: float, iterations: int) -> Tensor:
    """The plan for a matrix of costs, or a batch of them: rows sum to 1/n, and columns to 1/m when converged."""

    @tf.custom_gradient
    def known(cost: Tensor, y: Tensor):
        """y, which is known, as the function of the cost that it is: the tape keeps no iteration."""

        def vjp(dy: Tensor) -> tuple[Tensor, None]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            p, v = _wide(known(cost, y)), _wide(dy)  # as a function once more, for the second derivative
            n, m = _lengths(p)
            r, c = tf.reduce_sum(p * v, axis=-1, keepdims=True), tf.reduce_sum(p * v, axis=-2, keepdims=True)

            def turn(alpha: Tensor, beta: Tensor) -> tuple[Tensor, Tensor]:
                alpha = n * (r - tf.matmul(p, beta, transpose_b=True))
                return alpha, m * (c - tf.matmul(alpha, p, transpose_a=True))

            alpha, beta = _repeat(turn, tf.zeros_like(r), tf.zeros_like(c), iterations)  # converges as the forward does
            return tf.cast(p * (alpha + beta - v) / epsilon, cost.dtype), None

        return tf.identity(y), vjp

    cost = tf.identity(cost)
    if not (cost.dtype.is_floating or cost.dtype.is_complex):
        raise TypeError(f"cost: floating numbers are wanted, got {cost.dtype.name}")
    if epsilon <= 0:
        raise ValueError(f"epsilon={epsilon}: wanted epsilon > 0")
    if iterations < 1:
        raise ValueError(f"iterations={iterations}: wanted iterations >= 1")
    if cost.shape.rank is not None and cost.shape.rank < 2:
        raise ValueError(f"cost of shape {list(cost.shape)}: wanted a matrix, or a batch of them")
    logits = _wide(tf.stop_gradient(cost)) / -epsilon
    turns = tf.constant(iterations)  # for each Python number tf.function would trace anew, and keep the trace
    return known(cost, tf.cast(_plan(logits, turns), cost.dtype))


@tf.function(reduce_retracing=True, autograph=False)  # eagerly, each turn would be some forty calls
def _plan(logits: Tensor, iterations: Tensor) -> Tensor:
    n, m = _lengths(logits)

    def turn(f: Tensor, g: Tensor) -> tuple[Tensor, Tensor]:
        g = -tf.reduce_logsumexp(logits + f, axis=-2, keepdims=True) - tf.math.log(m)
        return -tf.reduce_logsumexp(logits + g, axis=-1, keepdims=True) - tf.math.log(n), g

    f, g = _repeat(turn, tf.zeros_like(logits[..., :1]), tf.zeros_like(logits[..., :1, :]), iterations)
    return tf.exp(logits + f + g)


def _repeat(turn: Callable[..., Any], a: Tensor, b: Tensor, iterations: int | Tensor) -> tuple[Tensor, Tensor]:
    return tf.while_loop(lambda *_: True, turn, (a, b), maximum_iterations=iterations)


def _lengths(x: Tensor) -> tuple[Tensor, Tensor]:
    n, m = tf.unstack(tf.cast(tf.shape(x)[-2:], x.dtype), num=2)  # traced after other ranks, x has no rank
    return n, m


def _wide(x: Tensor) -> Tensor:
    return tf.cast(x, tf.float32) if x.dtype.size == 2 else x
