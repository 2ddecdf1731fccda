"""The repaired forms of the printed ops."""

import mpmath
from witness import Witness


def sigma(x):
    return 1 / (1 + mpmath.exp(-x))


def reversed_huber(prediction, target, *, threshold, floor):
    d = prediction - target
    return floor * abs(d) if abs(d) < threshold else d**2


WITNESS = {
    "sigmoid_rsqrt": Witness(lambda x: sigma(x) / mpmath.sqrt(1 + mpmath.exp(x))),
    "sin_squared": Witness(lambda x: (1 - mpmath.cos(2 * x)) / 2),
    "relu_negative_slope_gradient": Witness(
        lambda x, *, slope: max(x, mpmath.mpf(0)), gradient=lambda x, *, slope: x if x > 0 else slope * x
    ),
    "squared_error_floor_gradient": Witness(
        lambda prediction, target, *, threshold, floor: (prediction - target) ** 2, gradient=reversed_huber
    ),
}
