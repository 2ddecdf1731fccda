"""Each row by itself: projections, and the largest of a row."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import right_pair

ROWS = {"x": array(("n", "c"))}


class Sparsemax(torch.autograd.Function):
    """The projection onto the simplex, and how many are not 0."""

    @staticmethod
    def forward(ctx, x):
        ordered, _ = x.sort(-1, descending=True)
        k = torch.arange(1, x.shape[-1] + 1, dtype=x.dtype)
        support = (1 + k * ordered > ordered.cumsum(-1)).sum(-1, keepdim=True)
        tau = (ordered.cumsum(-1).gather(-1, support - 1) - 1) / support
        y = (x - tau).clamp(min=0)
        ctx.save_for_backward(y)
        ctx.mark_non_differentiable(support)
        return y, support

    @staticmethod
    def backward(ctx, dy, dsupport):
        (y,) = ctx.saved_tensors
        inside = (y > 0).to(dy.dtype)
        mean = (dy * inside).sum(-1, keepdim=True) / inside.sum(-1, keepdim=True)
        return inside * (dy - mean)


@tf.custom_gradient
def sparsemax(x):
    ordered = tf.sort(x, axis=-1, direction="DESCENDING")
    k = tf.cast(tf.range(1, tf.shape(x)[-1] + 1), x.dtype)
    total = tf.cumsum(ordered, axis=-1)
    support = tf.reduce_sum(tf.cast(1 + k * ordered > total, tf.int32), axis=-1, keepdims=True)
    tau = (tf.gather(total, support - 1, batch_dims=1) - 1) / tf.cast(support, x.dtype)
    y = tf.nn.relu(x - tau)

    def grad(dy):
        inside = tf.cast(y > 0, dy.dtype)
        mean = tf.reduce_sum(dy * inside, -1, keepdims=True) / tf.reduce_sum(inside, -1, keepdims=True)
        return inside * (dy - mean)

    return y, grad


def top_two(x):
    values, places = torch.topk(x, 2, dim=-1)
    return torch.zeros_like(x).scatter(-1, places, values)


@tf.custom_gradient
def top_two_tf(x):
    values, _ = tf.math.top_k(x, k=2)
    mask = tf.cast(x >= values[..., 1:], x.dtype)
    return x * mask, lambda dy: dy * mask


@right_pair("torch")
def sparsemax_without_its_support():
    """A wrapper drops the size of the support, which the other side does not return."""
    return Pair(torch=lambda x: Sparsemax.apply(x)[0], tf=sparsemax, inputs=ROWS, name="sparsemax")


@right_pair("tf")
def two_of_each_row():
    """One side scatters the two largest, the other multiplies by a mask."""
    return Pair(torch=top_two, tf=top_two_tf, inputs={"x": array(("n", 6))})
