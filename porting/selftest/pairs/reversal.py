"""A gradient that is turned around: never the derivative of its own forward."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Reversal(torch.autograd.Function):
    """Passes x; the gradient is turned around."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return -dy


class NoReversal(Reversal):
    """Passes the gradient, too."""

    @staticmethod
    def backward(ctx, dy):
        return dy.clone()


@tf.custom_gradient
def reversal(x):
    """Pass x; the gradient is turned around."""
    return tf.identity(x), lambda dy: -dy


@planted_pair("torch", "wrong_sign")
def does_not_reverse():
    """The layer agrees with its own forward and does not reverse; the other side, a right one, does not."""
    return Pair(torch=NoReversal, tf=reversal)


@planted_pair("torch", "wrong_sign")
def does_not_reverse_as_its_reference_does():
    """The same, where it is said who is right."""
    return Pair(torch=NoReversal, tf=reversal, reference="tf")


@right_pair("torch")
def reverses():
    """Both sides turn the gradient around: it is not the derivative of the forward, on either."""
    return Pair(torch=Reversal, tf=reversal)
