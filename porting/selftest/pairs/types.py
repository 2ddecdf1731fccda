"""Types and counts: what PyTorch repairs in silence and TensorFlow hands out."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * (1 - y * y)


class TanhInSingle(Tanh):
    """As written for mixed precision."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        y = y.float()
        return (dy.float() * (1 - y * y)).to(dy.dtype)


class TanhToSingle(torch.autograd.Function):
    """The output is of float32, and so is its cotangent before the backward sees it."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x).float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy.to(x.dtype) * (1 - torch.tanh(x) ** 2)


@tf.custom_gradient
def tanh(x):
    y = tf.tanh(x)
    return y, lambda dy: dy * (1.0 - y * y)


@tf.custom_gradient
def tanh_always_single(x):
    y = tf.tanh(x)
    return y, lambda dy: tf.cast(dy, tf.float32) * tf.cast(1.0 - y * y, tf.float32)


@tf.custom_gradient
def tanh_of_single(x):
    y = tf.tanh(x)
    return y, lambda dy: dy * (tf.constant(1.0, tf.float32) - y * y)


@tf.custom_gradient
def tanh_of_single_half(x):
    y = tf.tanh(x)
    return y, lambda dy: dy * tf.constant(0.5, tf.float32) * (1 - y * y)


class Threshold(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, level):
        ctx.save_for_backward(x)
        ctx.level = level
        return torch.where(x > level, x, torch.zeros_like(x))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x > ctx.level), None


class ThresholdOneGradient(Threshold):
    @staticmethod
    def backward(ctx, dy):
        return Threshold.backward(ctx, dy)[0]


@tf.custom_gradient
def tanh_to_single(x):
    y = tf.tanh(x)
    return tf.cast(y, tf.float32), lambda dy: tf.cast(dy, y.dtype) * (1.0 - y * y)


def threshold(x, level):
    return tf.where(x > level, x, tf.zeros_like(x))


@tf.custom_gradient
def _threshold(x, level):
    return tf.where(x > level, x, tf.zeros_like(x)), lambda dy: tf.where(x > level, dy, tf.zeros_like(dy))


def threshold_one_gradient(x, level):
    return _threshold(x, tf.cast(level, x.dtype))


@planted_pair("torch", "precision_loss")
def single_inside():
    """The backward computes in float32 whatever comes in."""
    return Pair(torch=TanhInSingle, tf=tanh)


@planted_pair("tf", "wrong_dtype")
def single_outside():
    """The gradient is of float32 whatever comes in."""
    return Pair(torch=Tanh, tf=tanh_always_single)


@planted_pair("torch", "wrong_count")
def one_gradient_for_two():
    """The backward returns one gradient for two arguments."""
    return Pair(torch=ThresholdOneGradient, tf=threshold, statics={"level": 0.1})


@planted_pair("tf", "wrong_count")
def one_gradient_for_two_tensors():
    """The level is a tensor, so it counts as an input, and gets no gradient."""
    return Pair(torch=Threshold, tf=threshold_one_gradient, statics={"level": 0.1})


@planted_pair("tf", "constant_factor")
def takes_single_alone():
    """The gradient is half of the true one; it has a constant of float32, and raises in float64."""
    return Pair(torch=Tanh, tf=tanh_of_single_half)


@right_pair("tf")
def takes_single_alone_and_is_right():
    """The gradient has a constant of float32, and raises in float64."""
    return Pair(torch=Tanh, tf=tanh_of_single)


@planted_pair("torch", "wrong_dtype")
def answers_in_single():
    """The output is of float32 whatever comes in; the gradient lacks the digits that its cotangent has lost."""
    return Pair(torch=TanhToSingle, tf=tanh)


@right_pair("torch")
def both_answer_in_single():
    """Both outputs are of float32 whatever comes in, as a port's source does it."""
    return Pair(torch=TanhToSingle, tf=tanh_to_single)
