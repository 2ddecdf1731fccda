"""Forward mode, ``tf.autodiff.ForwardAccumulator``: the Jacobian is made column by column."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked

# Outputs, and their derivatives by one of the inputs, of this number, along a direction, times the cotangents.
Along: TypeAlias = Callable[[int, Any], tuple[Any, Any]]


def answer(asked: Asked) -> Answer:
    """Return the gradient whose every element is the derivative along one direction, times the cotangents."""
    return contracted(asked, lambda number, direction: along(asked, asked.x, {number: direction}))


def contracted(asked: Asked, one: Along) -> Answer:
    """Return value and gradient, with the derivative along one direction after the other."""
    asked.ensure_jacobian()
    dx = [np.zeros(x.shape, x.dtype.as_numpy_dtype) for x in asked.x]
    value = asked.value
    for number, gradient in enumerate(dx):
        for place in np.ndindex(gradient.shape):
            direction = np.zeros_like(gradient)
            direction[place] = 1
            value, gradient[place] = one(number, tf.constant(direction))
    return value, tuple(map(tf.constant, dx))


def along(asked: Asked, x: Sequence[Any], directions: dict[int, Any]) -> tuple[Any, Any]:
    """Return outputs, and what an accumulator says of numbered inputs that have a direction, times the cotangents."""
    with tf.autodiff.ForwardAccumulator([x[number] for number in directions], list(directions.values())) as forward:
        outputs = asked(*x)
    return outputs, asked.sent([forward.jvp(y, tf.UnconnectedGradients.ZERO) for y in outputs])
