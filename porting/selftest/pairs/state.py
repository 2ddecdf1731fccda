"""What lasts longer than one call: state on a class or in a list, tensors that are overwritten."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * dy


class SineOnTheClass(Sine):
    x: Any = None

    @staticmethod
    def forward(ctx, x):
        SineOnTheClass.x = x
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        return torch.cos(SineOnTheClass.x) * dy


class SineInPlace(Sine):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy.mul_(torch.cos(x))


class SineSummed(Sine):
    """Keeps what it returned, and adds to it."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.total = 0
        return torch.sin(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        ctx.total = ctx.total + torch.cos(x) * dy
        return ctx.total


class SineOnce(Sine):
    """The input stands on ctx as an attribute, and is given back in a tuple."""

    @staticmethod
    def forward(ctx, x):
        ctx.stuff = [x]
        return torch.sin(x)

    @staticmethod
    def backward(ctx, *grads):
        return (grads[0] * torch.cos(ctx.stuff[0]),)


@tf.custom_gradient
def sine(x):
    return tf.sin(x), lambda dy: dy * tf.cos(x)


LAST: list[Any] = []


def sine_in_a_list(x):
    LAST[:] = [x]

    @tf.custom_gradient
    def op(x):
        return tf.sin(x), lambda dy: dy * tf.cos(LAST[0])

    return op(x)


@tf.custom_gradient
def sine_with_noise(x):
    def grad(dy):
        return dy * tf.cos(x) + tf.random.normal(tf.shape(x), stddev=1e-3, dtype=x.dtype)

    return tf.sin(x), grad


@right_pair("torch")
def input_in_a_list_on_ctx():
    """The input is kept in a list on ctx, and the backward takes any number of cotangents."""
    return Pair(torch=SineOnce, tf=sine)


@planted_pair("torch", "shared_state")
def kept_on_the_class():
    """The input is kept on the class: the next call replaces it."""
    return Pair(torch=SineOnTheClass, tf=sine)


@planted_pair("tf", "shared_state")
def kept_in_a_list():
    """The input is kept in a list of the module: the next call replaces it."""
    return Pair(torch=Sine, tf=sine_in_a_list, reference="torch")


@planted_pair("torch", "overwrites_cotangent")
def multiplied_in_place():
    """The gradient is computed in the cotangent itself, which another branch may need."""
    return Pair(torch=SineInPlace, tf=sine)


@planted_pair("torch", "overwrites_saved")
def summed_up():
    """A second backward through the same graph returns the sum of both gradients."""
    return Pair(torch=SineSummed, tf=tf.sin)


@planted_pair("tf", "random_backward")
def noisy_gradient():
    """Noise is added to the gradient."""
    return Pair(torch=Sine, tf=sine_with_noise)
