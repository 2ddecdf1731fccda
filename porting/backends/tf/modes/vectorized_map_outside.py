"""``tf.vectorized_map`` over the samples, the tape outside: the gradient of what the map gave."""

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return value and gradient of the second of two equal samples."""
    asked.ensure_function()
    two = tuple(tf.stack([each, each]) for each in asked.x)
    outputs, dx = asked.taped(lambda *x: [y[1] for y in tf.vectorized_map(lambda one: asked(*one), x)], two)
    return outputs, tuple(None if g is None else g[1] for g in dx)
