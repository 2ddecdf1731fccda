"""``GradientTape.jacobian``, whose rows are computed at once by ``pfor``."""

from typing import Any

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked
from porting.runners.base import enter


def answer(asked: Asked) -> Answer:
    """Return the Jacobian times the cotangents."""
    return contracted(asked, pfor=True)


def contracted(asked: Asked, *, pfor: bool) -> Answer:
    """Return value and gradient, with the rows of the Jacobian at once or one after the other."""
    asked.ensure_jacobian()
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(asked.x)
        outputs = asked(*asked.x)
    asked.stage = enter("backward")
    dx: list[Any] = [None] * len(asked.x)
    for k, v in zip(asked.live, asked.dy, strict=True):
        for place, rows in enumerate(tape.jacobian(outputs[k], list(asked.x), experimental_use_pfor=pfor)):
            if rows is not None:
                part = tf.tensordot(tf.cast(v, rows.dtype), rows, v.shape.rank)
                dx[place] = part if dx[place] is None else dx[place] + part
    return outputs, tuple(dx)
