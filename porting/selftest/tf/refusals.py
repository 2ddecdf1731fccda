"""Bad input that is taken without a word, or refused in another way than the truth refuses it."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.tf.twins import custom


@planted(toys.between, cause="wrong_refusal")
def any_bounds(x, *, low=0.0, high=1.5):
    """Bounds in the wrong order are taken."""
    return custom(_value, _vjp, x, low=low, high=high)


@planted(toys.between, cause="wrong_refusal")
def bounds_by_debugging(x, *, low=0.0, high=1.5):
    """Bounds in the wrong order raise TensorFlow's own InvalidArgumentError, with TensorFlow's own text."""
    tf.debugging.assert_less(low, high)
    return custom(_value, _vjp, x, low=low, high=high)


def _value(x, low, high):
    return low + (high - low) * tf.sigmoid(x)


def _vjp(dy, x, low, high):
    return dy * (high - low) * tf.sigmoid(x) * tf.sigmoid(-x)


@planted(toys.between, cause="wrong_refusal")
def bounds_put_in_order(x, *, low=0.0, high=1.5):
    """Bounds in the wrong order are exchanged without a word."""
    return custom(_value, _vjp, x, low=min(low, high), high=max(low, high))
