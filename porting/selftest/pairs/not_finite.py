"""Gradients that are NaN or infinite, and sides that guard against it."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.contract import Contract
from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return g * (s + x * s * torch.sigmoid(-x))


class SwishByExponential(Swish):
    """The gradient at -720 is 0 times infinity."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        s = 1 / (1 + torch.exp(-x))
        return g * (s + x * torch.exp(-x) * s * s)


@tf.custom_gradient
def swish(x):
    s = tf.sigmoid(x)
    return x * s, lambda g: g * (s + x * s * tf.sigmoid(-x))


@tf.custom_gradient
def softplus_of_exponentials(x):
    e = tf.exp(x)
    return tf.math.softplus(x), lambda g: g * e / (1.0 + e)


@tf.custom_gradient
def swish_all_nan(x):
    def grad(g):
        mask = tf.zeros_like(x)
        return g * tf.sigmoid(x) * (mask / tf.reduce_sum(mask))

    return x * tf.sigmoid(x), grad


def softplus(x):
    return torch.logaddexp(x, torch.zeros_like(x))


class SafeSqrt(torch.autograd.Function):
    """The root where there is one, else 0, with a gradient of 0 there."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, torch.zeros_like(x)).sqrt()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        inside = x > 0
        return torch.where(inside, 0.5 * g / torch.where(inside, x, torch.ones_like(x)).sqrt(), torch.zeros_like(g))


class UnsafeSqrt(SafeSqrt):
    """Multiplies by the mask: 0 times infinity."""

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x > 0).to(x.dtype) * 0.5 * x.clamp(min=0).rsqrt()


def safe_sqrt(x):
    """Choose twice, so that the branch that is not taken is finite, too."""
    positive = x > 0
    safe = tf.where(positive, x, tf.ones_like(x))
    return tf.where(positive, tf.sqrt(safe), tf.zeros_like(x))


class SafeLog(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps=1e-6):
        ctx.save_for_backward(x)
        ctx.eps = eps
        return torch.log(x + eps)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x + ctx.eps), None


@tf.custom_gradient
def _log(x, eps):
    return tf.math.log(x + eps), lambda g: (g / (x + eps), None)


class LogDistance(torch.autograd.Function):
    """The logarithm of the distance to 1, which has no slope there."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (1 - x).abs().clamp(min=1e-30).log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x == 1, 0.0, -g / torch.where(x == 1, 1.0, 1 - x))


@tf.custom_gradient
def log_distance(x):
    away = 1 - x
    return tf.math.log(tf.maximum(tf.abs(away), 1e-30)), lambda g: -g * tf.math.reciprocal_no_nan(away)


@tf.custom_gradient
def log_distance_divided(x):
    away = 1 - x
    return tf.math.log(tf.maximum(tf.abs(away), 1e-30)), lambda g: -g / away


@right_pair("tf")
def quotient_without_a_zero():
    """At the number by which it would divide by zero, both sides have a gradient of 0."""
    return Pair(torch=LogDistance, tf=log_distance)


@planted_pair("tf", "zero_times_infinity")
def quotient_by_zero():
    """The gradient is infinite at the one number where it divides by zero: nothing overflows."""
    return Pair(torch=LogDistance, tf=log_distance_divided, reference="torch")


@right_pair("tf")
def root_with_a_double_where():
    """Below 0 both sides guard value and gradient, one by choosing twice, the other in a backward."""
    return Pair(torch=SafeSqrt, tf=safe_sqrt, contract=Contract(kinks={"x": (0.0,)}))


@right_pair("tf")
def logarithm_with_an_eps():
    """The eps is an input of tf.custom_gradient, which gets no gradient."""
    inputs = {"x": array(("n",), domain=(0.0, 4.0))}
    return Pair(torch=SafeLog, tf=lambda x, eps=1e-6: _log(x, tf.constant(eps, x.dtype)), inputs=inputs)


@planted_pair("torch", "overflow")
def infinite_far_out():
    """The gradient of a swish is 0 times infinity far below 0, where the forward is smooth."""
    return Pair(torch=SwishByExponential, tf=swish)


@planted_pair("tf", "overflow")
def infinity_by_infinity():
    """The gradient of a softplus is infinity by infinity far out."""
    return Pair(torch=softplus, tf=softplus_of_exponentials)


@planted_pair("tf", "forward_gradient_disagree")
def nan_everywhere():
    """The gradient is NaN everywhere: a mean over a mask that is empty."""
    return Pair(torch=Swish, tf=swish_all_nan)


@planted_pair("torch", "zero_times_infinity")
def nan_at_zero():
    """The gradient of a guarded root is 0 times infinity from 0 down."""
    return Pair(torch=UnsafeSqrt, tf=safe_sqrt, inputs={"x": array((3, 4), domain=(0.0, 9.0))}, reference="tf")
