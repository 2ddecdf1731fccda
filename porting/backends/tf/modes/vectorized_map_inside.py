"""``tf.vectorized_map`` over the samples, the tape inside: the gradient of each sample."""

from typing import Any

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return value and gradient of the second of two equal samples."""
    asked.ensure_function()
    independent: list[bool] = []

    def of_one(x: Any) -> Any:
        outputs, dx = asked.taped(asked, x)
        independent[:] = [g is None for g in dx]
        return outputs, [tf.zeros_like(each) if g is None else g for g, each in zip(dx, x, strict=True)]

    value, dx = tf.vectorized_map(of_one, tuple(tf.stack([each, each]) for each in asked.x))
    return tuple(y[1] for y in value), tuple(None if no else g[1] for no, g in zip(independent, dx, strict=True))
