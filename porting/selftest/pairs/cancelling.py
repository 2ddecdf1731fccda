"""Formulas of which both sides lose the digits in a narrow type."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Standardised(torch.autograd.Function):
    """The gradient of a layer norm: two numbers of a row that are nearly equal leave few digits of float32."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        c = x - x.mean(-1, keepdim=True)
        std = torch.sqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-6)
        by_variance = (dy * c * -0.5 * std**-3).sum(-1, keepdim=True)
        by_mean = (-dy / std).sum(-1, keepdim=True)
        return dy / std + by_variance * 2 * c / x.shape[-1] + by_mean / x.shape[-1]


@tf.custom_gradient
def standardised(x):
    def grad(dy):
        n = tf.cast(tf.shape(x)[-1], x.dtype)
        c = x - tf.reduce_mean(x, -1, keepdims=True)
        std = tf.sqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 1e-6)
        by_variance = tf.reduce_sum(dy * c * -0.5 * std**-3, -1, keepdims=True)
        by_mean = tf.reduce_sum(-dy / std, -1, keepdims=True)
        return dy / std + by_variance * 2 * c / n + by_mean / n

    return tf.identity(x), grad


@tf.custom_gradient
def standardised_without_its_mean(x):
    def grad(dy):
        n = tf.cast(tf.shape(x)[-1], x.dtype)
        c = x - tf.reduce_mean(x, -1, keepdims=True)
        std = tf.sqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 1e-6)
        return dy / std + tf.reduce_sum(dy * c * -0.5 * std**-3, -1, keepdims=True) * 2 * c / n

    return tf.identity(x), grad


@right_pair("torch")
def normalised_rows_of_two():
    """In float32 both sides are off by the same, beside either one in float64."""
    return Pair(torch=Standardised, tf=standardised, inputs={"x": array(("n", 2))})


@planted_pair("tf", "forward_gradient_disagree")
def normalised_rows_without_the_mean():
    """The term by the mean is missing: no side loses digits."""
    return Pair(torch=Standardised, tf=standardised_without_its_mean, inputs={"x": array(("n", 2))}, reference="torch")
