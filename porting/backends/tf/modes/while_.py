"""``tf.while_loop`` in a ``tf.function``: the body calls the op in the only turn, the tape is outside."""

from typing import Any

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return value and gradient of what the loop leaves."""
    any_shape = [tf.TensorShape(None)] * len(asked.value)  # in a graph an op may not know the shapes of its outputs

    def looped(*x: Any) -> Any:
        start = (tf.constant(0), *(tf.zeros(y.shape, y.dtype) for y in asked.value))
        _, *outputs = tf.while_loop(
            lambda turn, *_: turn < 1,
            lambda turn, *_: (turn + 1, *asked(*x)),
            start,
            shape_invariants=(tf.TensorShape([]), *any_shape),
        )
        return outputs

    return asked.taped(tf.function(looped, autograph=False))
