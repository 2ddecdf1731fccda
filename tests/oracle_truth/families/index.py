"""Witnesses of the family index: loops over the rows."""

import mpmath
import numpy as np
from witness import Witness


def rows(indices):
    indices = np.asarray(indices)
    return [(i, int(indices[i])) for i in np.ndindex(indices.shape)]


def looked_up(x, indices, *, padding=None):
    y = np.empty(np.shape(indices) + x.shape[1:], dtype=object)
    for i, j in rows(indices):
        y[i] = x[j] if j != padding else [mpmath.mpf(0)] * x.shape[1]
    return y


def as_it_stands(table, indices, *, padding):
    return looked_up(table, indices)


def segment_means(x, indices, *, size):
    y = np.full((size, x.shape[1]), mpmath.mpf(0), dtype=object)
    for j in range(size):
        for m in range(x.shape[1]):
            members = [x[i[0], m] for i, k in rows(indices) if k == j]
            y[j, m] = mpmath.fsum(members) / len(members) if members else mpmath.mpf(0)
    return y


X = [[1.0, 0.3], [-2.7, 1e-9], [0.1, 720.0], [1e6, -0.7]]
WITNESS = {
    "embedding_padding": Witness(
        as_it_stands,
        gradient=lambda table, indices, *, padding: looked_up(table, indices, padding=padding),
        points=[(X, [3, 0, 2, 0, 2]), (X, [[1, 1], [2, 2]]), (X, 2)],
    ),
    "gather_rows": Witness(looked_up, points=[(X, [3, 0, 3, 3, 1]), (X, [[1, 1], [2, 0]]), (X, 2)]),
    "scatter_mean": Witness(segment_means, points=[(X, [3, 0, 3, 3]), (X, [1, 1, 2, 2]), (X, [0, 0, 0, 0])]),
}
