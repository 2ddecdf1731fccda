"""Complex numbers: each input's gradient is the cotangent times the conjugate of what it was multiplied by."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.contract import Contract
from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair

_COMPLEX = Contract(complex=True)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        return dy * b.conj(), dy * a.conj()


class ProductWithoutAConjugate(Product):
    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        return dy * b.conj(), dy * a


@tf.custom_gradient
def product(a, b):
    return a * b, lambda dy: (dy * tf.math.conj(b), dy * tf.math.conj(a))


@tf.custom_gradient
def product_without_a_conjugate(a, b):
    return a * b, lambda dy: (dy * b, dy * tf.math.conj(a))


@planted_pair("torch", "missing_conjugate")
def conjugate_of_one_factor():
    """The gradient of one of two inputs lacks the conjugate."""
    return Pair(torch=ProductWithoutAConjugate, tf=product, contract=_COMPLEX)


@planted_pair("tf", "missing_conjugate")
def conjugate_of_the_other_factor():
    """The gradient of one of two inputs lacks the conjugate."""
    return Pair(torch=Product, tf=product_without_a_conjugate, contract=_COMPLEX)


@right_pair("torch")
def conjugates_of_both_factors():
    """Both conjugates are there, as both frameworks want them."""
    return Pair(torch=Product, tf=product, contract=_COMPLEX)
