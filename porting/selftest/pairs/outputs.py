"""Several outputs, outputs without a gradient, and wrappers that drop some."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.contract import Contract
from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

QUANTIZED = {"x": array(("n", 3)), "codes": array((5, 3))}


class Quantize(torch.autograd.Function):
    """The nearest code of each row, with a straight-through gradient, and its index."""

    @staticmethod
    def forward(ctx, x, codes):
        index = torch.cdist(x, codes).argmin(1)
        ctx.save_for_backward(index, codes)
        ctx.mark_non_differentiable(index)
        return codes[index], index

    @staticmethod
    def backward(ctx, dy, dindex):
        index, codes = ctx.saved_tensors
        return dy.clone(), torch.zeros_like(codes).index_add(0, index, dy)


def quantize(x, codes):
    @tf.custom_gradient
    def op(x, codes):
        apart = tf.reduce_sum((x[:, None] - codes[None]) ** 2, axis=-1)
        index = tf.argmin(apart, axis=1)

        def grad(dy, _):
            hot = tf.one_hot(index, tf.shape(codes)[0], dtype=dy.dtype)
            return tf.identity(dy), tf.matmul(hot, dy, transpose_a=True)

        return (tf.gather(codes, index), index), grad

    return op(x, codes)


def nearest(x, codes):
    return Quantize.apply(x, codes)[0]


def nearest_tf(x, codes):
    return quantize(x, codes)[0]


class Waves(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def backward(ctx, ds, dc):
        (x,) = ctx.saved_tensors
        return ds * torch.cos(x) - dc * torch.sin(x)


@tf.custom_gradient
def waves(x):
    return (tf.sin(x), tf.cos(x)), lambda ds, dc: ds * tf.cos(x) - dc * tf.sin(x)


@tf.custom_gradient
def waves_first_only(x):
    def grad(*upstream):
        return upstream[0] * tf.cos(x)

    return (tf.sin(x), tf.cos(x)), grad


def wrong_wave(x):
    _, wave = Waves.apply(x)
    return wave


def wave(x):
    return waves(x)[0]


class Squared(torch.autograd.Function):
    """Squares, and the norm of each row, which is there to be looked at."""

    @staticmethod
    def forward(ctx, x):
        norm = x.norm(dim=-1)
        ctx.save_for_backward(x)
        ctx.mark_non_differentiable(norm)
        return x * x, norm

    @staticmethod
    def backward(ctx, dy, dnorm):
        (x,) = ctx.saved_tensors
        return 2 * x * dy


def squared(x):
    return x * x, tf.norm(x, axis=-1)


def squared_beside_a_sum(x):
    return x * x, tf.reduce_sum(tf.abs(x), axis=-1)


ROWS = {"x": array(("n", 3))}
SHOWN = Contract(nondiff=(1,))


@right_pair("torch")
def norm_without_a_gradient():
    """A number that is returned to be looked at has a gradient on one side only, and is declared without one."""
    return Pair(torch=Squared, tf=squared, inputs=ROWS, contract=SHOWN)


@planted_pair("tf", "wrong_value")
def another_norm_without_a_gradient():
    """A number that is declared without a gradient is another one on the other side."""
    return Pair(torch=Squared, tf=squared_beside_a_sum, reference="torch", inputs=ROWS, contract=SHOWN)


@right_pair("torch")
def codes_with_their_index():
    """The second output is an index without a gradient, and the first has a straight-through one."""
    return Pair(torch=Quantize, tf=quantize, inputs=QUANTIZED)


@right_pair("torch")
def codes_without_their_index():
    """A wrapper drops the index on both sides."""
    return Pair(torch=nearest, tf=nearest_tf, inputs=QUANTIZED)


@planted_pair("tf", "ignores_one_cotangent")
def second_cotangent_ignored():
    """The cotangent of the second output is not used."""
    return Pair(torch=Waves, tf=waves_first_only)


@planted_pair("torch", "wrong_value")
def wrapper_returns_the_second():
    """A wrapper returns the second of two outputs instead of the first."""
    return Pair(torch=wrong_wave, tf=wave, reference="tf")
