"""Smooth activations whose backward was written by hand."""

# mypy: allow-untyped-defs, allow-untyped-calls

import math

import tensorflow as tf
import torch
import torch.nn.functional as F  # noqa: N812 - as people import it

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.mul(torch.tanh(F.softplus(x)))

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0]
        t = torch.tanh(torch.logaddexp(x, torch.zeros_like(x)))
        return grad_output * (t + x * torch.sigmoid(x) * (1 - t * t))


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        sig = torch.sigmoid(x)
        return grad_output * (sig * (1 + x * (1 - sig)))


class Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return F.gelu(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        cdf = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
        return grad_output * (cdf + x * torch.exp(-0.5 * x**2) / math.sqrt(2 * math.pi))


class LogCosh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.abs() + F.softplus(-2 * x.abs()) - math.log(2)

    @staticmethod
    def backward(ctx, g):
        return g * torch.tanh(ctx.x)


class Power(torch.autograd.Function):
    """|x|^1.5, whose second derivative is infinite at 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() ** 1.5

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 1.5 * g * x.sign() * x.abs().sqrt()


mish = Mish.apply


@tf.custom_gradient
def tf_mish(x):
    sx = tf.sigmoid(x)
    t = tf.tanh(tf.nn.softplus(x))

    def grad(dy):
        return dy * (t + x * sx * (1.0 - t * t))

    return x * t, grad


@tf.custom_gradient
def tf_swish(features):
    def grad(dy):
        sigmoid = tf.nn.sigmoid(features)
        return dy * (sigmoid * (1.0 + features * (1.0 - sigmoid)))

    return features * tf.nn.sigmoid(features), grad


@tf.custom_gradient
def tf_logcosh(x):
    return tf.abs(x) + tf.math.softplus(-2.0 * tf.abs(x)) - math.log(2.0), lambda dy: dy * tf.tanh(x)


@tf.custom_gradient
def tf_power(x):
    return tf.abs(x) ** 1.5, lambda *dy: 1.5 * tf.sqrt(tf.abs(x)) * tf.sign(x) * dy[0]


@tf.custom_gradient
def tf_power_without_exponent(x):
    return tf.abs(x) ** 1.5, lambda *dy: tf.sqrt(tf.abs(x)) * tf.sign(x) * dy[0]


@right_pair("torch")
def mish_by_the_name_of_its_apply():
    """The backward of a Mish is written by hand; the apply has a name of its own."""
    return Pair(torch=mish, tf=tf_mish)


@right_pair("tf")
def swish_computed_again():
    """Both sides compute the sigmoid again in the backward."""
    return Pair(torch=Swish, tf=tf_swish)


@right_pair("torch")
def gelu_beside_a_function_without_a_backward():
    """One side has a backward by hand, the other is a plain function."""
    return Pair(torch=Gelu, tf=lambda x: 0.5 * x * (1.0 + tf.math.erf(x / math.sqrt(2.0))))


@right_pair("torch")
def logcosh_with_x_on_ctx():
    """The input is an attribute of ctx, not a saved tensor."""
    return Pair(torch=LogCosh, tf=tf_logcosh)


@right_pair("tf")
def power_of_one_and_a_half():
    """The slope is steep beside 0, where the second derivative is infinite."""
    return Pair(torch=Power, tf=tf_power)


@planted_pair("tf", "constant_factor")
def exponent_forgotten():
    """The gradient of |x|^1.5 lacks the 1.5."""
    return Pair(torch=Power, tf=tf_power_without_exponent)


@planted_pair("tf", "precision_loss")
def gelu_of_the_framework():
    """TensorFlow's own GELU divides by a root of 2 that is of float32."""
    return Pair(torch=Gelu, tf=lambda x: tf.nn.gelu(x, approximate=False), reference="torch")
