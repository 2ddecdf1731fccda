"""What is right in eager mode only: a trace keeps Python's values, and has no numbers."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy


SETTINGS = {"temperature": 1.0}


def tanh(x):
    return torch.tanh(x)


def tempered(x):
    """Read the temperature of the settings: in a trace it is the one of the first call."""

    @tf.custom_gradient
    def op(x):
        return tf.tanh(x), lambda dy: dy * (1.0 - tf.tanh(x) ** 2) * SETTINGS["temperature"]

    return op(x)


@tf.custom_gradient
def looks_at_numbers(x):
    """Look at the numbers while Python runs, which it does in eager mode only."""
    if x.numpy().size == 0:
        return tf.identity(x), lambda dy: dy
    return tf.sin(x), lambda dy: dy * tf.cos(x)


@planted_pair("tf", "baked_python_value")
def settings_in_the_trace():
    """The gradient reads a number of a dictionary: a trace keeps it."""
    return Pair(torch=tanh, tf=tempered)


@planted_pair("tf", "graph_mode_fails")
def eager_only():
    """The function looks at the numbers of its input, which a tf.function does not have."""
    return Pair(torch=Sine, tf=looks_at_numbers)
