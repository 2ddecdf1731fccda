"""Witnesses of the family gradient: formulas written anew in mpmath."""

import mpmath
import numpy as np
from witness import Witness

POINTS = [([[-3.7, 0.31, 0.0], [720.0, -1e-300, 2.9]],), ([0.4, -720.0, 1e-30, -0.0, 17.0],), (0.83,)]


def same(x, **_):
    return x


def clipped(dy, x, *, low, high):
    return np.reshape([sorted([mpmath.mpf(low), v, mpmath.mpf(high)])[1] for v in np.ravel(dy)], np.shape(dy))


def shortened(dy, x, *, max_norm, axis):
    squares = np.sum(np.asarray(dy * dy, dtype=object), axis, keepdims=True)
    length = np.reshape([mpmath.sqrt(s) for s in np.ravel(squares)], np.shape(squares))
    factor = np.reshape([min(mpmath.mpf(1), max_norm / n) for n in np.ravel(length)], np.shape(length))
    return np.reshape(dy * factor, np.shape(dy))


def relu(x):
    return np.reshape([(v + abs(v)) / 2 for v in np.ravel(x)], np.shape(x))


def guided(dy, x):
    kept = [v if v > 0 < at else mpmath.mpf(0) for v, at in zip(np.ravel(dy), np.ravel(x), strict=True)]
    return np.reshape(kept, np.shape(dy))


WITNESS = {
    "reverse_gradient": Witness(same, gradient=lambda x, *, scale: -scale * x),
    "scale_gradient": Witness(same, gradient=lambda x, *, scale: scale * x),
    "clip_gradient": Witness(same, vjp=clipped, points=POINTS),
    "clip_gradient_norm": Witness(same, vjp=shortened, points=POINTS[:2]),
    "add_auxiliary_loss": Witness(
        lambda x, aux, **_: x,
        vjp=lambda dy, x, aux, *, scale: (dy, 0 * aux + scale),
        points=[([0.3, -720.0], 1.5), ([[0.3, -2.0], [1e-30, 4.0]], [1.5, -1e300])],
    ),
    "guided_relu": Witness(relu, vjp=guided, points=POINTS),
}
