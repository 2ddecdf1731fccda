"""Gradients that are not the forward's derivative, as the truth declares; and those that exist once."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import tensorflow as tf

from porting.selftest.planted import right
from porting.selftest.tf.twins import custom
from porting.spec import identity, op, unstated


def half_tanh(x: Any) -> Any:
    """tanh(x) / 2."""
    return np.tanh(x) / 2


def negative(x: Any) -> Any:
    """-x."""
    return -x


@op(gradient_of=identity)
def rounded(x: Any) -> Any:
    """x rounded to whole numbers, halves to even ones."""
    return np.round(x)


@rounded.defvjp
def rounded_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy, straight through."""
    return 1 * dy


@op(gradient_of=half_tanh, kinks={"x": (0.0,)})
def step(x: Any) -> Any:
    """1 where x > 0, else 0."""
    return np.where(x > 0, 1 + 0 * x, 0 * x)


@step.defvjp
def step_vjp(dy: Any, y: Any, x: Any) -> Any:
    """(1 - tanh(x)^2) / 2."""
    return dy * (1 - np.tanh(x) ** 2) / 2


@op(gradient_of=negative)
def turned(x: Any) -> Any:
    """x, whose gradient is turned around."""
    return 1 * x


@turned.defvjp
def turned_vjp(dy: Any, y: Any, x: Any) -> Any:
    """-dy."""
    return -dy


@op(gradient_of=unstated("clips the cotangent, so it is no derivative"), linear=False)
def held(x: Any) -> Any:
    """x, whose cotangent is held between -1 and 1."""
    return 1 * x


@held.defvjp
def held_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy between -1 and 1."""
    return np.clip(dy, -1, 1)


@op(order=1)
def sine_once(x: Any) -> Any:
    """sin(x), to be differentiated once."""
    return np.sin(x)


@sine_once.defvjp
def sine_once_vjp(dy: Any, y: Any, x: Any) -> Any:
    """cos(x)."""
    return np.cos(x) * dy


@right(rounded)
def cotangent_passed(x):
    """The cotangent is returned as it comes, tf.IndexedSlices too."""
    return tf.custom_gradient(lambda x: (tf.round(x), lambda dy: dy))(tf.convert_to_tensor(x))


@right(rounded)
def difference_stopped(x):
    """The rounding is added as a difference behind tf.stop_gradient; there is no custom gradient."""
    return x + tf.stop_gradient(tf.round(x) - x)


@right(rounded)
def passed_through(x):
    """TensorFlow's tf.grad_pass_through makes the gradient."""
    return tf.grad_pass_through(tf.round)(tf.convert_to_tensor(x))


@right(step)
def surrogate_less_itself(x):
    """The surrogate is added, and taken away again behind tf.stop_gradient."""
    x = tf.convert_to_tensor(x)
    smooth = tf.tanh(x) / 2
    return smooth + tf.stop_gradient(tf.where(x > 0, 1 + 0 * x, 0 * x) - smooth)


@right(step)
def surrogate_as_a_sigmoid(x):
    """The surrogate's derivative is written with the sigmoid of 2 x."""
    return custom(
        lambda x: tf.where(x > 0, 1 + 0 * x, 0 * x),
        lambda dy, x: 2 * tf.sigmoid(2 * x) * tf.sigmoid(-2 * x) * dy,
        x,
    )


@right(turned)
def twice_less_once(x):
    """The value is 2 x less x, the first of them behind tf.stop_gradient."""
    x = tf.convert_to_tensor(x)
    return tf.stop_gradient(2 * x) - x


@right(held)
def clipped_by_where(x):
    """The cotangent is chosen by its size: where it is not above 1 it stays, NaN too."""
    return custom(tf.identity, lambda dy, x: tf.where(tf.abs(dy) > 1, tf.sign(dy), dy), x)


@right(held)
def clipped_by_value(x):
    """The cotangent goes through tf.clip_by_value, whose own derivative makes the second order."""
    return custom(tf.identity, lambda dy, x: tf.clip_by_value(dy, -1, 1), x)


@right(sine_once)
def prevented(x):
    """The gradient is marked as one that cannot be differentiated, as is promised."""
    return custom(tf.sin, lambda dy, x: tf.raw_ops.PreventGradient(input=tf.cos(x) * dy, message="once only"), x)


@right(sine_once)
def recomputed(x):
    """TensorFlow's tf.recompute_grad makes the gradient, which refuses to be differentiated again."""
    return tf.recompute_grad(tf.sin)(tf.convert_to_tensor(x))
