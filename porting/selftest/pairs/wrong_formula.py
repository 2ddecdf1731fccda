"""Backwards with a mistake in the formula, beside a right side."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair


class Bump(torch.autograd.Function):
    """exp(-x^2)."""

    @staticmethod
    def forward(ctx, x):
        y = torch.exp(-x.pow(2))
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        x, y = ctx.saved_tensors
        return -2 * x * y * dy


class BumpWithoutInner(Bump):
    @staticmethod
    def backward(ctx, dy):
        _, y = ctx.saved_tensors
        return y * dy


@tf.custom_gradient
def bump(x):
    y = tf.exp(-x * x)
    return y, lambda dy: -2.0 * x * y * dy


@tf.custom_gradient
def bump_rising(x):
    y = tf.exp(-x * x)
    return y, lambda dy: 2.0 * x * y * dy


@tf.custom_gradient
def bump_unscaled(x):
    y = tf.exp(-x * x)
    return y, lambda dy: -2.0 * x * y


class LogSigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.logsigmoid(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(-x)


@tf.custom_gradient
def log_sigmoid_cut_off(x):
    def grad(g):
        slope = tf.where(x < -15.0, tf.zeros_like(x), tf.sigmoid(-x))
        return g * slope

    return tf.math.log_sigmoid(x), grad


class Product(torch.autograd.Function):
    """a^2 b."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * 2 * a * b, g * a * a


class ProductSwapped(Product):
    @staticmethod
    def backward(ctx, g):
        grad_a, grad_b = Product.backward(ctx, g)
        return grad_b, grad_a


@tf.custom_gradient
def product(a, b):
    return a * a * b, lambda g: (2.0 * a * b * g, a * a * g)


@tf.custom_gradient
def product_swapped(a, b):
    return a * a * b, lambda g: (a * a * g, 2.0 * a * b * g)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.ones_like(dy) * 3 * x**2


@planted_pair("torch", "missing_inner_derivative")
def inner_forgotten():
    """The gradient of exp(-x^2) is exp(-x^2) itself."""
    return Pair(torch=BumpWithoutInner, tf=bump)


@planted_pair("tf", "wrong_sign")
def minus_lost():
    """The minus in exp(-x^2) is lost in the gradient; nothing says who is right."""
    return Pair(torch=Bump, tf=bump_rising)


@planted_pair("tf", "ignores_cotangent")
def no_cotangent():
    """The gradient is returned without the cotangent."""
    return Pair(torch=Bump, tf=bump_unscaled)


@planted_pair("torch", "ignores_cotangent")
def ones_for_a_cotangent():
    """The cotangent is replaced by ones; the other side is a plain function."""
    return Pair(torch=Cube, tf=lambda x: x**3)


@planted_pair("tf", "wrong_branch")
def cut_off_far_below():
    """The gradient of a log-sigmoid is 0 below -15, where it is 1."""
    return Pair(torch=LogSigmoid, tf=log_sigmoid_cut_off)


@planted_pair("torch", "swapped_gradients")
def swapped():
    """The gradients of the two inputs are exchanged."""
    return Pair(torch=ProductSwapped, tf=product)


@planted_pair("tf", "swapped_gradients")
def swapped_beside_the_reference():
    """The same on the other side, where it is said who is right."""
    return Pair(torch=Product, tf=product_swapped, reference="torch")
