"""Sums over an axis, and axes of length 1."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, dim=-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(dim=-1, keepdim=True))


class SoftmaxOtherAxis(Softmax):
    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(dim=0, keepdim=True))


def softmax(x):
    return tf.nn.softmax(x, axis=-1)


class SquareSqueezed(torch.autograd.Function):
    """Squares; the gradient forgets axes of length 1, and broadcasting brings too many back."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * dy.squeeze() * x


@right_pair("torch")
def softmax_that_saves_its_output():
    """The output is saved, and the sum in the gradient keeps its axis."""
    return Pair(torch=Softmax, tf=softmax, inputs={"x": array(("n", "c"))})


@planted_pair("torch", "wrong_axis")
def sum_over_the_batch():
    """The gradient of a softmax is summed over the first axis."""
    return Pair(torch=SoftmaxOtherAxis, tf=softmax, inputs={"x": array(("n", "c"))}, reference="tf")


@planted_pair("torch", "wrong_shape")
def squeezed():
    """A 3-D input with an axis of length 1 has a gradient of too many elements, which PyTorch sums."""
    return Pair(torch=SquareSqueezed, tf=tf.square, inputs={"x": array(("n", 1, "c"))})


@planted_pair("torch", "wrong_shape")
def squeezed_somewhere():
    """The same, where nothing says which axes there are."""
    return Pair(torch=SquareSqueezed, tf=tf.square)
