"""Witnesses of the family linalg: Newton's iteration for the roots, mpmath's own linear algebra for the rest."""

import mpmath
import numpy as np
from witness import Witness


def matrix(a):
    return mpmath.matrix(a.tolist())


def array(m):
    return np.array(m.tolist(), dtype=object).reshape(m.rows, m.cols)


def roots(a):
    """Denman and Beavers: y goes to the root of the symmetric part, z to its inverse."""
    y = (matrix(a) + matrix(a).T) / 2
    z = mpmath.eye(y.rows)
    while True:
        following = (y + z**-1) / 2, (z + y**-1) / 2
        if mpmath.mnorm(following[0] - y) <= mpmath.eps * 1e6 * mpmath.mnorm(y):
            return following
        y, z = following


def eigen(a):
    w, v = mpmath.eigsy((matrix(a) + matrix(a).T) / 2)
    for k in range(v.cols):
        largest = max(abs(x) for x in v[:, k])
        if next(x for x in v[:, k] if abs(x) > 0.55 * largest) < 0:
            v[:, k] *= -1
    return np.array(list(w), dtype=object), array(v)


def eigen_vjp(dy, a, *, broadening):
    dw, dv = dy
    w, v = eigen(a)
    dx = sum(dw[k] * np.outer(v[:, k], v[:, k]) for k in range(len(w)))
    for i in range(len(w)):
        for j in range(len(w)):
            d = w[j] - w[i]
            if i != j:
                dx = dx + np.dot(v[:, i], dv[:, j]) * d / (d**2 + mpmath.mpf(broadening)) * np.outer(v[:, i], v[:, j])
    return (dx + dx.T) / 2


DEFINITE = [
    ([[4.0, 1.0, 0.5], [0.25, 3.0, -1.0], [0.125, 0.5, 2.0]],),
    ([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]],),  # repeated eigenvalues
    ([[5.0, 1.0, 1.0], [1.0, 5.0, 1.0], [1.0, 1.0, 5.0]],),
]
ANY = [[2.0, -1.0, 0.5], [0.75, 3.0, 1.0], [-0.5, 0.25, -4.0]]

WITNESS = {
    "matrix_sqrt": Witness(lambda a: array(roots(a)[0]), points=DEFINITE),
    "matrix_inverse_sqrt": Witness(  # an eigenvalue's error is that of the norm; a small one's root doubles it
        lambda a: array(roots(a)[1]), points=DEFINITE, ulp=100
    ),
    "safe_eigh": Witness(
        lambda a, **_: eigen(a),
        vjp=eigen_vjp,
        points=[(ANY,), ([[1.0, 2.0], [0.0, -3.0]],)],
        statics=[{"broadening": b} for b in (0.0, 1e-16, 0.25)],
    ),
    "solve": Witness(
        lambda a, b: array(matrix(a) ** -1 * matrix(b)), points=[(ANY, [[1.0, -2.0], [0.5, 0.25], [3.0, 1.5]])]
    ),
    "logdet": Witness(
        lambda a: np.array(mpmath.log(abs(mpmath.det(matrix(a)))), dtype=object), points=[(ANY,), (DEFINITE[0][0],)]
    ),
}
