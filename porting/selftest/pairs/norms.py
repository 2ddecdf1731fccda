"""Norms, and sums of exponentials: one number for a row."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

ROWS = {"x": array((..., "n"))}


class SafeNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps=1e-6):
        norm = torch.sqrt((x * x).sum(-1) + eps)
        ctx.save_for_backward(x, norm)
        return norm

    @staticmethod
    def backward(ctx, g):
        x, norm = ctx.saved_tensors
        return (g / norm).unsqueeze(-1) * x, None


def safe_norm(x, eps=1e-6):
    return tf.sqrt(tf.reduce_sum(tf.square(x), axis=-1) + eps)


class Normalize(torch.autograd.Function):
    """Divides rows by their length."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / x.norm(dim=-1, keepdim=True)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        y = x / n
        return (g - y * (g * y).sum(-1, keepdim=True)) / n


class NormalizeAll(Normalize):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        n = x.norm(dim=-1, keepdim=True)
        y = x / n
        return (g - y * (g * y).sum()) / n


def normalize(x):
    return x / tf.norm(x, axis=-1, keepdims=True)


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.logsumexp(x, -1)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g[..., None] * torch.exp(x - y[..., None])


@tf.custom_gradient
def log_sum_exp(x):
    peak = tf.stop_gradient(tf.reduce_max(x, axis=-1, keepdims=True))
    total = tf.math.log(tf.reduce_sum(tf.exp(x - peak), axis=-1, keepdims=True)) + peak
    return tf.squeeze(total, axis=-1), lambda g: tf.expand_dims(g, -1) * tf.nn.softmax(x)


@tf.custom_gradient
def log_softmax(x):
    return tf.nn.log_softmax(x), lambda g: g - tf.nn.softmax(x) * tf.reduce_sum(g, axis=-1, keepdims=True)


@right_pair("torch")
def norm_with_an_eps_twice():
    """The norm is the output and is saved, with an eps below the root on both sides."""
    return Pair(torch=SafeNorm, tf=safe_norm, inputs=ROWS)


@right_pair("torch")
def rows_of_length_one():
    """Rows are divided by their length without an eps: a row of zeros is NaN on both sides."""
    return Pair(torch=Normalize, tf=normalize, inputs=ROWS)


@right_pair("tf")
def maximum_behind_stop_gradient():
    """The largest is subtracted behind tf.stop_gradient, and the gradient is a softmax."""
    return Pair(torch=LogSumExp.apply, tf=log_sum_exp, inputs=ROWS)


@right_pair("tf")
def log_softmax_by_hand():
    """The gradient of a log-softmax is written by hand, beside PyTorch's own."""
    return Pair(torch=lambda x: torch.log_softmax(x, -1), tf=log_softmax, inputs=ROWS)


@planted_pair("torch", "mixes_batch")
def sum_over_everything():
    """The projection in the gradient is summed over all rows instead of each."""
    return Pair(torch=NormalizeAll, tf=normalize, inputs=ROWS)
