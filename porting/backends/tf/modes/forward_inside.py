"""Forward mode in a ``tf.function``: the accumulator is made, and the op called, in the function that is traced."""

from typing import Any

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked
from porting.backends.tf.modes.forward import along, contracted


def answer(asked: Asked) -> Answer:
    """Return the gradient whose every element is the derivative along one direction, times the cotangents."""
    traced = tf.function(lambda x, tangents: along(asked, x, dict(enumerate(tangents))), autograph=False)
    zeros = [tf.zeros(x.shape, x.dtype) for x in asked.x]

    def one(number: int, direction: Any) -> tuple[Any, Any]:
        return traced(asked.x, [*zeros[:number], direction, *zeros[number + 1 :]])  # type: ignore[no-any-return]

    return contracted(asked, one)
