"""Rows of zeros, as padding has them: what a norm is divided by there."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

ROWS = {"x": array((..., "n"))}


class Length(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.linalg.vector_norm(x, dim=-1)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        y = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return dy.unsqueeze(-1) * torch.where(y > 0, x / torch.where(y > 0, y, 1), 0)


class LengthDivided(Length):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy.unsqueeze(-1) * (x / torch.linalg.vector_norm(x, dim=-1, keepdim=True))


@tf.custom_gradient
def length(x):
    y = tf.norm(x, axis=-1, keepdims=True)
    return tf.squeeze(y, -1), lambda dy: tf.expand_dims(dy, -1) * tf.math.divide_no_nan(x, y)


@tf.custom_gradient
def length_divided(x):
    y = tf.norm(x, axis=-1, keepdims=True)
    return tf.squeeze(y, -1), lambda dy: tf.expand_dims(dy, -1) * (x / y)


@planted_pair("torch", "zero_times_infinity")
def length_of_a_row_of_zeros():
    """The gradient of a length is NaN for a row of zeros, where the other side has 0."""
    return Pair(torch=LengthDivided, tf=length, inputs=ROWS)


@planted_pair("tf", "zero_times_infinity")
def length_of_zeros():
    """The gradient of a length is NaN for a row of zeros, where the other side has 0; the shape is guessed."""
    return Pair(torch=Length, tf=length_divided)


@right_pair("torch")
def length_guarded_twice():
    """Both sides have the gradient 0 for a row of zeros, one by choosing, the other by a division without NaN."""
    return Pair(torch=Length, tf=length, inputs=ROWS)


@right_pair("tf")
def length_that_has_no_slope_at_zero():
    """Both sides divide by the length: neither has a gradient for a row of zeros."""
    return Pair(torch=LengthDivided, tf=length_divided, inputs=ROWS)
