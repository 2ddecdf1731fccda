"""Witnesses of the family `structure`."""

import mpmath
import numpy as np
from witness import Witness

tanh = np.vectorize(mpmath.tanh, otypes=[object])
X1, X2 = [[0.3, -1.2], [2.5, 0.7]], [[-0.4, 1.1, 0.2], [1.9, -0.6, 0.8]]
W1, W2 = [[0.5, -1.0], [1.5, 0.25], [-0.75, 2.0]], [[1.0, -0.5, 0.3], [0.7, 1.2, -2.0]]


def reversible_block(x1, x2, w1, w2):
    y1 = x1 + tanh(np.dot(x2, w1))
    return y1, x2 + tanh(np.dot(y1, w2))


WITNESS = {
    "recompute": Witness(lambda x, *, fn: fn(x), points=[(x,) for x in (-3.7, -0.83, 0.0, 1e-30, 0.31, 2.9, 720.0)]),
    "reversible_block": Witness(reversible_block, points=[(X1, X2, W1, W2)], ulp=100),  # sums that cancel
}
