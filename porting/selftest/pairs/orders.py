"""Second derivatives: lost, refused, or steep."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch
from torch.autograd.function import once_differentiable

from porting.contract import Contract
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy


class SoftSign(torch.autograd.Function):
    """Saves 1 + |x|, which has no graph."""

    @staticmethod
    def forward(ctx, x):
        scale = 1 + x.abs()
        ctx.save_for_backward(scale)
        return x / scale

    @staticmethod
    def backward(ctx, dy):
        (scale,) = ctx.saved_tensors
        return dy / scale**2


class Sigmoid(torch.autograd.Function):
    """Saves its output, which has one."""

    @staticmethod
    def forward(ctx, x):
        y = torch.sigmoid(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy * y * (1 - y)


class SigmoidDetached(Sigmoid):
    @staticmethod
    def backward(ctx, dy):
        y = ctx.saved_tensors[0].detach()
        return dy * y * (1 - y)


class SigmoidData(Sigmoid):
    """Computes with the data alone."""

    @staticmethod
    def backward(ctx, dy):
        y = ctx.saved_tensors[0].data
        return dy.data * y * (1 - y)


@tf.custom_gradient
def soft_sign(x):
    scale = 1.0 + tf.abs(x)
    return x / scale, lambda dy: dy / scale**2


@tf.custom_gradient
def sigmoid(x):
    y = tf.nn.sigmoid(x)

    def grad(dy):
        return dy * y * (1 - y)

    return y, grad


@tf.custom_gradient
def sigmoid_stopped(x):
    y = tf.nn.sigmoid(x)
    slope = tf.stop_gradient(y * (1 - y))
    return y, lambda dy: dy * slope


def cube_once(x):
    """Refuse a second derivative, as the other side does."""

    @tf.custom_gradient
    def op(x):
        @tf.custom_gradient
        def first(dy, x):
            def second(ddx):
                message = "differentiated once only"
                raise NotImplementedError(message)

            return 3 * x**2 * dy, second

        return x**3, lambda dy: first(tf.convert_to_tensor(dy), x)

    return op(x)


@right_pair("torch")
def once_and_no_more():
    """Both sides refuse a second derivative, and say so."""
    return Pair(torch=Cube, tf=cube_once, contract=Contract(order=1))


@right_pair("torch")
def output_saved():
    """The output is saved: that is no intermediate, and the second derivative is whole."""
    return Pair(torch=Sigmoid, tf=sigmoid)


@planted_pair("torch", "saved_intermediate")
def intermediate_saved():
    """The forward saves 1 + |x|, so that the second derivative lacks a term."""
    return Pair(torch=SoftSign, tf=soft_sign)


@planted_pair("torch", "detached")
def detached_output():
    """The saved output is detached in the backward."""
    return Pair(torch=SigmoidDetached, tf=sigmoid, reference="tf")


@planted_pair("torch", "detached")
def data_alone():
    """The backward computes with .data."""
    return Pair(torch=SigmoidData, tf=sigmoid)


@planted_pair("tf", "detached")
def stopped_slope():
    """The slope stands behind tf.stop_gradient, so that the second derivative is lost."""
    return Pair(torch=Sigmoid, tf=sigmoid_stopped)
