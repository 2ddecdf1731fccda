"""Ops that draw random numbers, and ops that are given them."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p=0.5):
        mask = torch.bernoulli(torch.full_like(x, 1 - p)) / (1 - p)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        (mask,) = ctx.saved_tensors
        return grad_output * mask, None


def dropout_of(factor):
    def dropout(x, p=0.5):
        @tf.custom_gradient
        def op(x):
            keep = tf.random.uniform(tf.shape(x), dtype=x.dtype) >= p
            mask = tf.cast(keep, x.dtype) / (1 - p)
            return x * mask, lambda dy: factor * dy * mask

        return op(x)

    return dropout


class Gumbel(torch.autograd.Function):
    """A softmax of logits and noise."""

    @staticmethod
    def forward(ctx, logits, tau=1.0):
        noise = -torch.empty_like(logits).exponential_().log()
        y = torch.softmax((logits + noise) / tau, -1)
        ctx.save_for_backward(y)
        ctx.tau = tau
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(-1, keepdim=True)) / ctx.tau, None


class GumbelTenTimes(Gumbel):
    @staticmethod
    def backward(ctx, g):
        return 10 * Gumbel.backward(ctx, g)[0], None


def gumbel(logits, tau=1.0):
    uniform = tf.random.uniform(tf.shape(logits), minval=1e-6, maxval=1.0, dtype=logits.dtype)
    return tf.nn.softmax((logits - tf.math.log(-tf.math.log(uniform))) / tau, axis=-1)


class NoisyQuantizer(torch.autograd.Function):
    """Adds noise that comes from outside; the gradient is x's alone."""

    @staticmethod
    def forward(ctx, x, noise):
        return torch.round(x + noise)

    @staticmethod
    def backward(ctx, g):
        return g, None


@tf.custom_gradient
def noisy_quantizer(x, noise):
    return tf.round(x + noise), lambda g: (g, None)


class Concrete(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, noise):
        y = torch.sigmoid(x + noise)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y), g * y * (1 - y)


LOGITS = {"logits": array((..., "n"))}


@right_pair("torch")
def drops_out():
    """Both sides draw their masks inside: nothing can be compared."""
    return Pair(torch=Dropout, tf=dropout_of(1.0))


@right_pair("torch")
def draws_gumbel_noise():
    """Both sides draw Gumbel noise inside, one of them without a backward of its own."""
    return Pair(torch=Gumbel, tf=gumbel, inputs=LOGITS)


@right_pair("torch")
def noise_from_outside():
    """The noise is an input, and no gradient goes back to it on either side."""
    return Pair(torch=NoisyQuantizer, tf=noisy_quantizer)


@right_pair("torch")
def noise_with_a_gradient():
    """The noise is an input that has a gradient, too."""
    return Pair(torch=Concrete, tf=lambda x, noise: tf.sigmoid(x + noise))


@planted_pair("torch", "constant_factor")
def gumbel_ten_times():
    """The noise is drawn inside, and the gradient is 10 times too large."""
    return Pair(torch=GumbelTenTimes, tf=gumbel, inputs=LOGITS)


@planted_pair("tf", "constant_factor")
def dropout_ten_times():
    """The mask is drawn inside, and the gradient is 10 times too large."""
    return Pair(torch=Dropout, tf=dropout_of(10.0))
