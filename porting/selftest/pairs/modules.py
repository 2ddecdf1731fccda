"""Modules and layers as sides."""

# mypy: allow-untyped-defs, allow-untyped-calls

import keras
import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.alpha, None


class GradientReversal(torch.nn.Module):
    def __init__(self, alpha):
        super().__init__()
        self.alpha = alpha

    def forward(self, x):
        return Reverse.apply(x, self.alpha)


class ReversalLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras ships no types
    def __init__(self, alpha, **kwargs):
        super().__init__(**kwargs)
        self.alpha = alpha

    def call(self, x):
        @tf.custom_gradient
        def reverse(x):
            return tf.identity(x), lambda dy: -self.alpha * dy

        return reverse(x)


@right_pair("tf")
def module_beside_a_layer():
    """One side is a module, the other a Keras layer without weights that would cast to float32."""
    return Pair(torch=GradientReversal(0.5), tf=ReversalLayer(0.5), name="reversal")


@planted_pair("tf", "constant_factor")
def layer_with_another_strength():
    """The layer reverses with a strength of 1, the module with one of a half."""
    return Pair(torch=GradientReversal(0.5), tf=ReversalLayer(1.0), name="reversal")
