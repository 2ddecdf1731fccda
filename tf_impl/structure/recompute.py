"""A decorator for functions that keep their inputs alone: whatever the gradient needs is computed again."""

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow import Tensor


def recompute(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Make fn keep its tensors and nothing else; it must give the same each time, and get all tensors as arguments."""

    def traced(at: list[Tensor], dy: list[Tensor]) -> list[Tensor | None]:
        return tf.gradients(tf.nest.flatten(fn(*at)), at, dy)

    @tf.custom_gradient
    def forward(*inputs: Tensor):
        def vjp(*dy: Tensor) -> list[Tensor | None]:
            dy = [tf.convert_to_tensor(v) for v in dy]  # they may be tf.IndexedSlices
            at = inputs if tf.executing_eagerly() else _waiting(inputs, dy[0])
            with tf.GradientTape() as tape:
                tape.watch([x for x in at if x.dtype.is_floating])
                y = fn(*at)
            dx = tape.gradient(tf.nest.flatten(y), list(at), output_gradients=dy)
            if all(g is None for g in dx):  # forward mode asks, and there no tape records
                dx = tf.function(traced, autograph=False)(list(at), dy)
            return dx

        return fn(*(tf.stop_gradient(x) for x in inputs)), vjp

    @functools.wraps(fn)
    def run(*inputs: Tensor) -> Any:
        return forward(*map(tf.identity, inputs))

    return run


def _waiting(inputs: tuple[Tensor, ...], dy: Tensor) -> list[Tensor]:
    """Return the inputs as they are, but not before dy is there: computed again, not kept."""
    first = tf.reduce_max(tf.reshape(dy, [-1])[:1])
    return [tf.where(tf.math.is_nan(first), tf.cast(first, x.dtype), x) for x in inputs]


def recomputed(x: Tensor, *, fn: Callable[[Tensor], Tensor]) -> Tensor:
    """fn(x) of one tensor, recomputed."""
    return recompute(fn)(x)
