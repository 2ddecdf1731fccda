"""Forward mode, ``tf.autodiff.ForwardAccumulator``: the Jacobian is made column by column."""

from typing import Any

import numpy as np
import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return the gradient whose every element is the derivative along one direction, times the cotangents."""
    asked.ensure_jacobian()
    dx = [np.zeros(x.shape, x.dtype.as_numpy_dtype) for x in asked.x]
    for number, gradient in enumerate(dx):
        for place in np.ndindex(gradient.shape):
            gradient[place] = _along(asked, number, place)
    return asked.value, tuple(map(tf.constant, dx))


def _along(asked: Asked, number: int, place: tuple[int, ...]) -> Any:
    x = asked.x[number]
    direction = np.zeros(x.shape, x.dtype.as_numpy_dtype)
    direction[place] = 1
    with tf.autodiff.ForwardAccumulator(x, tf.constant(direction)) as forward:
        outputs = asked(*asked.x)
    return asked.sent([forward.jvp(y, tf.UnconnectedGradients.ZERO) for y in outputs])
