"""Surrogates inside a composition, and a plain version in a narrower type."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

_DENSE = {"x": array(("n", 3)), "w": array((3, 2))}


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x.abs() <= 1)


def dense(x, w):
    return Sign.apply(x) @ Sign.apply(w)


def _sign_tf(steepness):
    @tf.custom_gradient
    def sign(x):
        y = tf.where(x >= 0, tf.ones_like(x), -tf.ones_like(x))
        return y, lambda dy: steepness * dy * tf.cast(tf.abs(x) <= 1, x.dtype)

    return sign


def dense_tf(x, w):
    return tf.matmul(_sign_tf(1.0)(x), _sign_tf(1.0)(w))


def dense_twice_as_steep(x, w):
    return tf.matmul(_sign_tf(1.0)(x), _sign_tf(2.0)(w))


@right_pair("tf")
def binarised_on_both_sides():
    """Differentiated twice, both take the surrogate twice: that is not the derivative of the first gradient."""
    return Pair(torch=dense, tf=dense_tf, inputs=_DENSE)


@planted_pair("tf", "constant_factor")
def binarised_weights_twice_as_steep():
    """The surrogate of the weights' sign is twice as steep as on the side that is ported from."""
    return Pair(torch=dense, tf=dense_twice_as_steep, inputs=_DENSE, reference="torch")


class Softplus(torch.autograd.Function):
    steepness = 1.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.softplus(x)

    @classmethod
    def backward(cls, ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.sigmoid(cls.steepness * x)


class SoftplusTooSteep(Softplus):
    steepness = 1.01


def softplus_in_float32(x):
    return torch.nn.functional.softplus(x.float())


@right_pair("torch")
def measured_in_float32():
    """The plain version casts to float32: what it replaces has all digits, and is not the one that lacks some."""
    return Pair(torch=Softplus, like=softplus_in_float32)


@planted_pair("torch", "forward_gradient_disagree")
def wrong_beside_a_measure_in_float32():
    """The slope is that of a sigmoid which is one per cent too steep."""
    return Pair(torch=SoftplusTooSteep, like=softplus_in_float32)


class LowRank(torch.autograd.Function):
    """One of the two terms of the gradient of x is one per cent too large."""

    @staticmethod
    def forward(ctx, x, w, u, v):
        ctx.save_for_backward(x, w, u, v)
        return x @ w + (x @ u) @ v

    @staticmethod
    def backward(ctx, grad_output):
        x, w, u, v = ctx.saved_tensors
        dx = grad_output @ w.t() + 1.01 * (grad_output @ v.t()) @ u.t()
        z = x.t() @ grad_output
        return dx, z, z @ v.t(), u.t() @ z


def low_rank(x, w, u, v):
    return x @ w + (x @ u) @ v


@planted_pair("torch", "forward_gradient_disagree")
def one_term_one_per_cent_too_large():
    """No rounding: as large beside the inputs, and a tenth of a sum whose terms nearly take each other away."""
    shapes = {"x": ("n", "i"), "w": ("i", "o"), "u": ("i", "r"), "v": ("r", "o")}
    return Pair(torch=LowRank, like=low_rank, inputs={name: array(shape) for name, shape in shapes.items()})
