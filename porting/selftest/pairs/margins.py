"""Losses that turn straight or flat at a margin."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Huber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, r, delta=1.0):
        ctx.save_for_backward(r)
        ctx.delta = delta
        a = r.abs()
        return torch.where(a <= delta, 0.5 * r * r, delta * (a - 0.5 * delta))

    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        return g * r.clamp(-ctx.delta, ctx.delta), None


class HuberWider(Huber):
    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        return g * r.clamp(-2 * ctx.delta, 2 * ctx.delta), None


@tf.custom_gradient
def huber(r, delta=1.0):
    a = tf.abs(r)
    y = tf.where(a <= delta, 0.5 * r * r, delta * (a - 0.5 * delta))
    return y, lambda g: g * tf.clip_by_value(r, -delta, delta)


class Hinge(torch.autograd.Function):
    """The mean of max(0, 1 - y x) over the last axis, with y of -1 and 1."""

    @staticmethod
    def forward(ctx, x, y):
        margin = 1 - x * y
        ctx.save_for_backward(margin, y)
        return margin.clamp(min=0).mean(-1)

    @staticmethod
    def backward(ctx, g):
        margin, y = ctx.saved_tensors
        return -g.unsqueeze(-1) * y * (margin > 0) / y.shape[-1], None


class HingeOfSum(Hinge):
    @staticmethod
    def backward(ctx, g):
        margin, y = ctx.saved_tensors
        return -g.unsqueeze(-1) * y * (margin > 0), None


def hinge(x, y):
    return tf.reduce_mean(tf.nn.relu(1.0 - x * tf.cast(y, x.dtype)), axis=-1)


SIGNS = {"x": array((..., "n")), "y": array((..., "n"), dtype="int64", domain=range(-1, 2))}


@right_pair("torch")
def huber_by_a_clamp():
    """The gradient is a clamp of the residual; the bound is a Python number."""
    return Pair(torch=Huber, tf=huber)


@right_pair("torch")
def hinge_that_saves_its_margin():
    """The margin, an intermediate, is saved; the gradient asks for its sign only."""
    return Pair(torch=Hinge, tf=hinge, inputs=SIGNS)


@planted_pair("torch", "wrong_branch")
def huber_with_two_bounds():
    """The loss turns straight at 1, its gradient at 2."""
    return Pair(torch=HuberWider, tf=huber)


@planted_pair("torch", "constant_factor")
def mean_without_its_length():
    """The gradient of a mean lacks the length of the axis."""
    return Pair(torch=HingeOfSum, tf=hinge, inputs=SIGNS)
