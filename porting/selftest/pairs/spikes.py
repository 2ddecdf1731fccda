"""Spikes: a step forwards, the slope of another function backwards."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class FastSigmoid(torch.autograd.Function):
    """Fires above 0; the slope is that of a fast sigmoid."""

    slope = 25.0

    @staticmethod
    def forward(ctx, membrane):
        ctx.save_for_backward(membrane)
        return (membrane > 0).to(membrane.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        (membrane,) = ctx.saved_tensors
        return grad_output / (FastSigmoid.slope * membrane.abs() + 1.0) ** 2


class ArcTan(torch.autograd.Function):
    """Fires from 0 on; the slope is that of an arc tangent."""

    @staticmethod
    def forward(ctx, x, alpha=2.0):
        ctx.save_for_backward(x)
        ctx.alpha = alpha
        return torch.heaviside(x, torch.ones_like(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        shape = 1 + (torch.pi / 2 * ctx.alpha * x).pow(2)
        return ctx.alpha / 2 / shape * grad_output, None


class ArcTanNegative(ArcTan):
    @staticmethod
    def backward(ctx, grad_output):
        gradient, _ = ArcTan.backward(ctx, grad_output)
        return -gradient, None


class Window(torch.autograd.Function):
    """Fires above 0; the slope is a rectangle of area 1."""

    @staticmethod
    def forward(ctx, x, width=0.5):
        ctx.save_for_backward(x)
        ctx.width = width
        return x.gt(0).type_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        inside = (x.abs() < ctx.width).type_as(x)
        return grad_output * inside / (2 * ctx.width), None


class WindowTooHigh(Window):
    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x.abs() < ctx.width).type_as(x), None


def spike_of(slope):
    @tf.custom_gradient
    def spike(membrane):
        def grad(dy):
            return dy / tf.square(slope * tf.abs(membrane) + 1.0)

        return tf.cast(membrane > 0, membrane.dtype), grad

    return spike


def arctan_spike(x, alpha=2.0):
    @tf.custom_gradient
    def op(x):
        out = tf.cast(tf.greater_equal(x, 0.0), x.dtype)

        def grad(dy):
            return dy * alpha / 2 / (1 + (np.pi / 2 * alpha * x) ** 2)

        return out, grad

    return op(x)


def window_spike(x, width=0.5):
    @tf.custom_gradient
    def op(x):
        return tf.where(x > 0, tf.ones_like(x), tf.zeros_like(x)), lambda dy: tf.where(
            tf.abs(x) < width, dy / (2 * width), tf.zeros_like(dy)
        )

    return op(x)


def arctan(x, *, alpha=2.0):
    """Return what the slope of the spike is that of."""
    return np.arctan(np.pi / 2 * alpha * x) / np.pi


@right_pair("torch")
def spikes_with_a_slope_on_the_class():
    """The slope is an attribute of the class, that of the other side in a closure."""
    return Pair(torch=FastSigmoid, tf=spike_of(25.0))


@right_pair("tf")
def spikes_as_an_arc_tangent():
    """Both sides say that the slope is that of an arc tangent, which has a static."""
    return Pair(torch=ArcTan, tf=arctan_spike, surrogate_of=arctan)


@right_pair("torch")
def spikes_through_a_window():
    """The slope jumps at both ends of the window, and it is a derivative of nothing that is named."""
    return Pair(torch=Window.apply, tf=window_spike)


@planted_pair("tf", "forward_gradient_disagree")
def another_slope():
    """The slope is 10, and 25 on the other side."""
    return Pair(torch=FastSigmoid, tf=spike_of(10.0), reference="torch")


@planted_pair("torch", "wrong_sign")
def slopes_down():
    """The slope has the wrong sign, where a NumPy function says what it is that of."""
    return Pair(torch=ArcTanNegative, tf=arctan_spike, surrogate_of=arctan)


@planted_pair("torch", "constant_factor")
def window_of_height_one():
    """The rectangle has a height of 1, not an area of 1; the width is not a half."""
    return Pair(torch=WindowTooHigh, tf=window_spike, statics={"width": 0.8})
