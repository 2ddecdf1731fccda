"""Other values, other defaults, and other conventions where there is no derivative."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


def gelu(x):
    return torch.nn.functional.gelu(x)


def leaky_tf(x, slope=0.2):
    @tf.custom_gradient
    def op(x):
        return tf.where(x > 0, x, slope * x), lambda dy: tf.where(x > 0, dy, slope * dy)

    return op(x)


class Leaky(torch.autograd.Function):
    """With PyTorch's default slope."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, 0.01 * x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, dy, 0.01 * dy)


class ReluAtZero(torch.autograd.Function):
    """Lets the gradient through at 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (x >= 0).to(dy.dtype)


def relu(x):
    return tf.nn.relu(x)


class Larger(torch.autograd.Function):
    """Gives each a half where both are the same."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return torch.maximum(a, b)

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        share = (a > b).to(dy.dtype) + 0.5 * (a == b).to(dy.dtype)
        return dy * share, dy * (1 - share)


@tf.custom_gradient
def larger_first(a, b):
    chosen = a >= b
    return tf.maximum(a, b), lambda dy: (tf.where(chosen, dy, 0.0 * dy), tf.where(chosen, 0.0 * dy, dy))


@tf.custom_gradient
def larger_both(a, b):
    y = tf.maximum(a, b)
    return y, lambda dy: (tf.where(a == y, dy, 0.0 * dy), tf.where(b == y, dy, 0.0 * dy))


class SineThrough(torch.autograd.Function):
    """A surrogate of sin whose forward mode is that of sin."""

    @staticmethod
    def forward(x):
        return torch.sin(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.slope = torch.cos(*inputs)

    @staticmethod
    def backward(ctx, dy):
        return dy / 2

    @staticmethod
    def jvp(ctx, tx):
        return ctx.slope * tx


@tf.custom_gradient
def sine_through(x):
    return tf.sin(x), lambda dy: dy / 2


@right_pair("torch")
def forward_mode_of_a_surrogate():
    """Forward mode gives the derivative of the forward, the gradient is another one on both sides."""
    return Pair(torch=SineThrough, tf=sine_through)


@planted_pair("tf", "wrong_branch")
def tie_to_both():
    """Where both are the same each gets the whole gradient: twice that of moving both."""
    return Pair(torch=Larger, tf=larger_both)


@planted_pair("tf", "wrong_value")
def approximated():
    """TensorFlow's GELU is the approximation by tanh, PyTorch's is not."""
    return Pair(torch=gelu, tf=lambda x: tf.nn.gelu(x, approximate=True), reference="torch")


@planted_pair("torch", "wrong_value")
def another_default():
    """The slope below 0 is that of PyTorch's default, 0.01, and that of TensorFlow's, 0.2."""
    return Pair(torch=Leaky, tf=leaky_tf)


@planted_pair("torch", "kink_convention")
def one_at_zero():
    """The gradient of a ReLU at 0 is 1, where that of TensorFlow is 0."""
    return Pair(torch=ReluAtZero, tf=relu, reference="tf")


@planted_pair("tf", "kink_convention")
def tie_to_the_first():
    """Where both are the same, the first takes the whole gradient; on the other side each takes a half."""
    return Pair(torch=Larger, tf=larger_first)
