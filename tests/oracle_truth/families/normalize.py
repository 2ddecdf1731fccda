"""Witnesses of the family `normalize`: the textbook formulas, without any scaling."""

import mpmath
import numpy as np
from witness import Witness

X = [[0.3, -1.2, 2.5, 0.7], [-3.1, 0.2, 0.9, 1.4]]
GAIN, BIAS = [1.2, -0.4, 0.8, 2.0], [0.5, 0.1, -0.3, 1.0]


def mean(x):
    return np.sum(x, axis=-1, keepdims=True) / x.shape[-1]


def root(x):
    return np.vectorize(mpmath.sqrt, otypes=[object])(x)


def layer_norm(x, gain, bias, *, eps):
    return (x - mean(x)) / root(mean(x * x) - mean(x) ** 2 + eps) * gain + bias


def rms_norm(x, gain, *, eps):
    return x / root(mean(x * x) + eps) * gain


SCALED = [(np.multiply(X, size).tolist(), GAIN) for size in (1.0, 1e-200, 1e-3, 1e200)]

WITNESS = {
    # ulp: dx is what two projections leave of the cotangent, a thirtieth of it at the first point
    "layer_norm": Witness(layer_norm, points=[(x, gain, BIAS) for x, gain in SCALED], ulp=100),
    "rms_norm": Witness(rms_norm, points=SCALED),
}
