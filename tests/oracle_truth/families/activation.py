"""The activations, in many digits; the three repaired ones are in repaired.py."""

import mpmath
from witness import Witness


def swish(x, *, beta):
    return x / (1 + mpmath.exp(-beta * x))


def mish(x):
    return x * mpmath.tanh(mpmath.log1p(mpmath.exp(x)))


def gelu_tanh(x):
    return x / 2 * (1 + mpmath.tanh(mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)))


def exp(x, *, limit):
    return mpmath.exp(x)


def exp_and_tangent(x, *, limit):
    return mpmath.exp(x) if x <= limit else mpmath.exp(limit) * (1 + x - limit)


def softsign(x):
    return mpmath.sign(x) * (1 - 1 / (1 + abs(x)))


WITNESS = {
    "swish": Witness(swish),
    "mish": Witness(mish),
    "gelu_tanh": Witness(gelu_tanh),
    "swiglu": Witness(lambda x1, x2: x1 * x2 * mpmath.exp(x1) / (1 + mpmath.exp(x1))),
    "trunc_exp": Witness(exp, gradient=exp_and_tangent),
    "softsign": Witness(softsign),
}
