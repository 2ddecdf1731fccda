"""Layers that normalise rows: mean, variance, and an eps."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

ROWS = {"x": array((..., "n"))}


def rms_norm(x, weight, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def rms_norm_of(eps):
    """Return one with a gradient by hand, as fused layers have it."""

    @tf.custom_gradient
    def op(x, weight):
        r = tf.math.rsqrt(tf.reduce_mean(x * x, axis=-1, keepdims=True) + eps)
        y = x * r

        def grad(g):
            wide = g * weight
            dx = r * (wide - y * tf.reduce_mean(wide * y, axis=-1, keepdims=True))
            return dx, tf.reduce_sum(g * y, axis=list(range(len(x.shape) - 1)))

        return y * weight, grad

    return lambda x, weight, eps=eps: op(x, weight)


WEIGHTED = {"x": array(("b", "t", "n")), "weight": array(("n",))}


def layer_norm(x, eps=1e-5):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps)


@tf.custom_gradient
def layer_norm_by_hand(x, eps=1e-5):
    mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
    r = tf.math.rsqrt(variance + eps)
    y = (x - mean) * r

    def grad(g):
        centre = tf.reduce_mean(g, axis=-1, keepdims=True)
        return r * (g - centre - y * tf.reduce_mean(g * y, axis=-1, keepdims=True))

    return y, grad


@right_pair("tf")
def rms_norm_by_hand():
    """The gradient of the weight is summed over all axes that the rank says there are."""
    return Pair(torch=rms_norm, tf=rms_norm_of(1e-5), inputs=WEIGHTED)


@right_pair("tf")
def layer_norm_with_a_default():
    """The eps is a default of tf.custom_gradient's function, and is never passed."""
    return Pair(torch=layer_norm, tf=layer_norm_by_hand, inputs=ROWS)


@planted_pair("tf", "wrong_value")
def another_eps():
    """The eps is Keras' default of 1e-3, that of the other side 1e-5."""
    return Pair(torch=rms_norm, tf=rms_norm_of(1e-3), inputs=WEIGHTED, reference="torch")
