"""Straight-through gradients: rounding, signs, clamps, and their masks."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import tensorflow as tf
import torch

from porting.contract import Contract
from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class Round(torch.autograd.Function):
    """Rounds; the gradient goes straight through."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


class Binarize(torch.autograd.Function):
    """The sign; the gradient is that of a clip."""

    @staticmethod
    def forward(ctx, x, bound=1.0):
        ctx.save_for_backward(x)
        ctx.bound = bound
        return torch.sign(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x.abs() > ctx.bound] = 0
        return grad_input, None


class BinarizeWithoutMask(Binarize):
    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clone(), None


def binarize(x, bound=1.0):
    @tf.custom_gradient
    def sign(x):
        def grad(dy):
            return tf.where(tf.abs(x) <= bound, dy, tf.zeros_like(dy))

        return tf.sign(x), grad

    return sign(x)


def binarize_inside_only(x, bound=1.0):
    @tf.custom_gradient
    def sign(x):
        return tf.sign(x), lambda dy: tf.where(tf.abs(x) < bound, dy, tf.zeros_like(dy))

    return sign(x)


def clip(x, *, bound):
    """Return what the gradient of the sign is that of."""
    return np.clip(x, -bound, bound)


def fake_quant(x, low=-1.0, high=1.0, steps=7):
    """Round to one of eight numbers; detached, so that the gradient is that of the clamp."""
    clipped = x.clamp(low, high)
    scale = (high - low) / steps
    rounded = torch.round((clipped - low) / scale) * scale + low
    return clipped + (rounded - clipped).detach()


def fake_quant_tf(x, low=-1.0, high=1.0, steps=7):
    clipped = tf.where(x < low, low * tf.ones_like(x), x)
    clipped = tf.where(x > high, high * tf.ones_like(x), clipped)
    scale = (high - low) / steps
    return clipped + tf.stop_gradient(tf.round((clipped - low) / scale) * scale + low - clipped)


def fake_quant_cast(x, low=-1.0, high=1.0, steps=7):
    """Cast the bounds, which are of float32 before they are of anything else."""
    clipped = tf.clip_by_value(x, tf.cast(low, x.dtype), tf.cast(high, x.dtype))
    scale = tf.cast((high - low) / steps, x.dtype)
    return clipped + tf.stop_gradient(tf.round((clipped - low) / scale) * scale + low - clipped)


@right_pair("tf")
def rounds_with_grad_pass_through():
    """One side wraps the rounding in tf.grad_pass_through, and names its output."""
    return Pair(torch=Round, tf=tf.grad_pass_through(tf.round))


@right_pair("tf")
def rounds_by_stopping_the_gradient():
    """One side adds what the rounding changes, behind tf.stop_gradient."""
    return Pair(torch=Round.apply, tf=lambda x: x + tf.stop_gradient(tf.round(x) - x))


@right_pair("torch")
def binarizes_by_a_masked_write():
    """The gradient is written to through a mask, and the sign has no derivative."""
    return Pair(torch=Binarize, tf=binarize)


@right_pair("torch")
def binarizes_as_a_clip():
    """The same with a bound of 0.7, and with what it is the derivative of."""
    inputs = {"x": array(("n",), domain=(-3, 3))}
    return Pair(torch=Binarize, tf=binarize, inputs=inputs, statics={"bound": 0.7}, surrogate_of=clip)


@right_pair("torch")
def quantizes_by_detaching():
    """Both sides quantize between two statics with detached differences, and clamp in their own way."""
    return Pair(torch=fake_quant, tf=fake_quant_tf, statics={"low": -0.9, "high": 1.1})


@planted_pair("torch", "wrong_branch")
def no_mask():
    """The gradient of the sign goes through beyond the clip's bound, too."""
    return Pair(torch=BinarizeWithoutMask, tf=binarize)


@planted_pair("torch", "wrong_branch")
def no_mask_beside_a_clip():
    """The same, where a NumPy function says what the gradient is that of."""
    return Pair(torch=BinarizeWithoutMask, tf=binarize, surrogate_of=clip, statics={"bound": 1.0})


@planted_pair("tf", "kink_convention")
def bound_counts_as_outside():
    """Exactly at the clip's bound, which is a declared kink, the gradient is 0 and that of the other side 1."""
    contract = Contract(gradient_of=clip, kinks={"x": (-1.0, 1.0)})
    return Pair(torch=Binarize, tf=binarize_inside_only, contract=contract, statics={"bound": 1.0})


@planted_pair("tf", "precision_loss")
def bounds_by_way_of_single():
    """Python numbers go through tf.cast, which makes them float32 on the way to float64."""
    return Pair(torch=fake_quant, tf=fake_quant_cast, statics={"low": -0.9, "high": 1.1}, reference="torch")
