"""Witnesses of the family spiking: formulas written anew in mpmath."""

import mpmath
from witness import Witness


def step(x, **statics):
    return mpmath.mpf(1) if x > 0 else mpmath.mpf(0)


def triangle_area(x, *, width, dampening):
    """Return what lies under the triangle to the left of x: the half before the peak, the rest, or all."""
    if abs(x) >= width:
        return dampening * step(x)
    beyond = (width - abs(x)) ** 2 / (2 * width**2)
    return dampening * (1 - beyond if x > 0 else beyond)


def lif(x, v, *, decay, threshold, slope):
    u = decay * v + x
    return step(u - threshold), u if u <= threshold else u - threshold


def lif_surrogate(x, v, *, decay, threshold, slope):
    u = decay * v + x
    return 1 / (slope + 1 / abs(u - threshold)) * mpmath.sign(u - threshold), u


WITNESS = {
    "atan_spike": Witness(step, gradient=lambda x, *, alpha: mpmath.acot(mpmath.pi * alpha * x / 2) / -mpmath.pi),
    "fast_sigmoid_spike": Witness(step, gradient=lambda x, *, slope: mpmath.sign(x) / (1 / abs(x) + slope)),
    "lif_step": Witness(lif, gradient=lif_surrogate),
    "sigmoid_spike": Witness(step, gradient=lambda x, *, slope: mpmath.tanh(slope * x / 2) / 2),
    "triangular_spike": Witness(step, gradient=triangle_area),
}
