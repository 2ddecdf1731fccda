"""Sides that lose digits on the way, in float64: as a reference, and beside what is wrong."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class ScaledByNorm(torch.autograd.Function):
    """The norm that the gradient is divided by is kept in float32."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (1 - torch.tanh(x) ** 2) / torch.sqrt((x * x).sum() + 1).float()


def _scaled_by_norm(factor):
    @tf.custom_gradient
    def op(x):
        y = tf.tanh(x)
        return y, lambda dy: factor * dy * (1 - y**2) / tf.sqrt(tf.reduce_sum(x * x) + 1)

    return op


def scaled(x):
    return _scaled_by_norm(1.0)(x)


def scaled_too_much(x):
    return _scaled_by_norm(1.01)(x)


@right_pair("tf")
def ported_from_a_scale_in_float32():
    """The reference's scale has the digits of float32, its port's has all: that is no fault of the port."""
    return Pair(torch=ScaledByNorm, tf=scaled, reference="torch")


@planted_pair("tf", "constant_factor")
def one_per_cent_beside_a_scale_in_float32():
    """The port's gradient is one per cent too large."""
    return Pair(torch=ScaledByNorm, tf=scaled_too_much, reference="torch")


@planted_pair("torch", "precision_loss")
def scale_in_float32():
    """The gradient's scale is kept in float32; the reference has it in float64."""
    return Pair(torch=ScaledByNorm, tf=scaled, reference="tf")


def floors(x):
    return torch.floor(x / 1.7) * 1.7 + torch.sin(x)


def floors_tf(x):
    return tf.floor(x / 1.7) * 1.7 + tf.sin(x)


@right_pair("torch")
def quotients_next_to_nothing():
    """Divided, the smallest number is smaller than any normal one: TensorFlow takes it for 0, PyTorch does not."""
    return Pair(torch=floors, tf=floors_tf)
