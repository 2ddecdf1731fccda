"""Inputs without axes, and sides that take matrices only."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Tempered(torch.autograd.Function):
    """x divided by a temperature, which is a tensor without axes."""

    @staticmethod
    def forward(ctx, x, t):
        ctx.save_for_backward(x, t)
        return x / t

    @staticmethod
    def backward(ctx, dy):
        x, t = ctx.saved_tensors
        return dy / t, -(dy * x).sum() / t**2


class TemperedByRow(Tempered):
    @staticmethod
    def backward(ctx, dy):
        x, t = ctx.saved_tensors
        return dy / t, -(dy * x).sum() / t[0] ** 2


@tf.custom_gradient
def tempered(x, t):
    def grad(dy):
        return dy / t, -tf.reduce_sum(dy * x) / t**2

    return x / t, grad


@tf.custom_gradient
def tempered_by_element(x, t):
    return x / t, lambda dy: (dy / t, -dy * x / t**2)


class RowNorm(torch.autograd.Function):
    """Takes matrices only."""

    @staticmethod
    def forward(ctx, x):
        n, d = x.shape
        ctx.save_for_backward(x)
        ctx.size = n * d
        return x * x / ctx.size

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy / ctx.size


def row_norm(x):
    rows, columns = tf.unstack(tf.shape(x))
    return x * x / tf.cast(rows * columns, x.dtype)


SCALED = {"x": array(("n", "d")), "t": array((), domain=(0.5, 4.0))}


@right_pair("torch")
def temperature_without_axes():
    """The second input has no axes, and its gradient is a sum over everything."""
    return Pair(torch=Tempered, tf=tempered, inputs=SCALED)


@right_pair("torch")
def matrices_only():
    """Both sides take the two lengths of a matrix apart, and nothing but a matrix."""
    return Pair(torch=RowNorm, tf=row_norm, inputs={"x": array(("n", "d"))})


@planted_pair("torch", "raises_in_backward")
def temperature_indexed():
    """The backward indexes the temperature, which has no axes."""
    return Pair(torch=TemperedByRow, tf=tempered, inputs=SCALED)


@planted_pair("tf", "missing_reduction")
def temperature_not_summed():
    """The gradient of a temperature without axes has those of x."""
    return Pair(torch=Tempered, tf=tempered_by_element, inputs=SCALED)
