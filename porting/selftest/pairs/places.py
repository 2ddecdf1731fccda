"""Indices, masks, and running sums."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

TAKEN = {"x": array((3, "d")), "index": array(("k",), dtype="int64", domain=range(3))}
MASKED = {"x": array((3, 4)), "mask": array((3, 4), dtype="int32", domain=range(2))}


class Take(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return x[index]

    @staticmethod
    def backward(ctx, dy):
        (index,) = ctx.saved_tensors
        return dy.new_zeros(ctx.shape).index_add_(0, index, dy), None


class TakeLast(Take):
    @staticmethod
    def backward(ctx, dy):
        (index,) = ctx.saved_tensors
        dx = dy.new_zeros(ctx.shape)
        dx[index] += dy
        return dx, None


def take(x, index):
    return tf.gather(x, index)


class CumSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.cumsum(-1)

    @staticmethod
    def backward(ctx, dy):
        return dy.flip(-1).cumsum(-1).flip(-1)


@tf.custom_gradient
def cumsum(x):
    return tf.cumsum(x, axis=-1), lambda dy: tf.cumsum(dy, axis=-1, reverse=True)


@tf.custom_gradient
def cumsum_on_rows(x):
    return tf.cumsum(x, axis=-1), lambda dy: tf.cumsum(dy, axis=0, reverse=True)


class MaskedFill(torch.autograd.Function):
    """Where the mask is 0, nothing comes out and nothing goes back."""

    @staticmethod
    def forward(ctx, x, mask):
        keep = mask.bool()
        ctx.save_for_backward(keep)
        return x.masked_fill(~keep, 0.0)

    @staticmethod
    def backward(ctx, dy):
        (keep,) = ctx.saved_tensors
        grad = dy.clone()
        grad[~keep] = 0
        return grad, None


def masked(x, mask):
    keep = tf.cast(mask, tf.bool)

    @tf.custom_gradient
    def op(x):
        zero = tf.zeros_like(x)
        return tf.where(keep, x, zero), lambda dy: tf.where(keep, dy, zero)

    return op(x)


@right_pair("torch")
def rows_taken():
    """The gradient is added at the indices, in place of a tensor of zeros."""
    return Pair(torch=Take, tf=take, inputs=TAKEN)


@right_pair("tf")
def sums_from_behind():
    """The gradient of a running sum runs from behind: a flip twice, or reverse=True."""
    return Pair(torch=CumSum, tf=cumsum, inputs={"x": array(("n", "t"))})


@right_pair("torch")
def mask_of_integers():
    """The mask is an input of integers that becomes one of booleans."""
    return Pair(torch=MaskedFill, tf=masked, inputs=MASKED)


@planted_pair("torch", "duplicate_index")
def last_one_wins():
    """Where an index repeats, the last gradient overwrites the others."""
    return Pair(torch=TakeLast, tf=take, inputs=TAKEN)


@planted_pair("tf", "wrong_axis")
def sums_over_the_other_axis():
    """The gradient of a running sum runs along the first axis."""
    return Pair(torch=CumSum, tf=cumsum_on_rows, inputs={"x": array(("n", "t"))})
