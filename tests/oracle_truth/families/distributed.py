"""Witnesses of the family `distributed`."""

import numpy as np
from witness import Witness

X = [[0.3, -1.2, 1e-30], [2.5, 0.7, -720.0]]
BLOCKS = [X, [[-0.4, 1.1, 0.2], [1.9, -0.6, 0.8]]]


def all_reduce(x):
    return np.stack([x[0] + x[1]] * 2)


def all_gather(x):
    return np.stack([x] * 2)


def reduce_scatter(x):
    return np.stack([x[0, 0] + x[1, 0], x[0, 1] + x[1, 1]])


WITNESS = {
    "all_reduce": Witness(all_reduce, points=[(X,)]),
    "all_gather": Witness(all_gather, points=[(X,)]),
    "reduce_scatter": Witness(reduce_scatter, points=[(BLOCKS,)]),
}
