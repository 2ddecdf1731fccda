"""Witnesses of the family `implicit`: differences of a solution that is found by another route, or of plain steps."""

import mpmath
import numpy as np
from witness import Witness

tanh, exp = (np.vectorize(f, otypes=[object]) for f in (mpmath.tanh, mpmath.exp))
X = [[0.3, -1.2, 0.7], [2.5, 0.1, -0.4]]
W = [[0.12, -0.05, 0.1], [0.02, 0.2, -0.07], [-0.1, 0.03, 0.15]]
COST = [[0.1, 0.9, 0.4], [0.6, 0.0, 1.0]]


def fixed_point(x, w, *, tolerance, max_iter):
    """Newton's method, row by row."""
    rows = []
    for b in x:
        z = tanh(b)
        for _ in range(8):
            t = tanh(np.dot(w, z) + b)
            jacobian = np.eye(len(b), dtype=int) - (1 - t * t)[:, None] * w
            z = z - np.array(list(mpmath.lu_solve(mpmath.matrix(jacobian.tolist()), mpmath.matrix(list(z - t)))))
        rows.append(z)
    return np.array(rows)


def ode(x, w, *, steps, dt):
    def slope(x):
        return tanh(np.dot(x, w.T))

    for _ in range(steps):
        a = slope(x)
        b = slope(x + a * dt / 2)
        c = slope(x + b * dt / 2)
        x = x + (a + 2 * b + 2 * c + slope(x + c * dt)) * dt / 6
    return x


def sinkhorn(cost, *, epsilon, iterations):
    """Scale the rows and the columns of exp(-cost / epsilon), many times."""
    n, m = cost.shape
    p = exp(-cost / epsilon)
    for _ in range(100):
        p = p / p.sum(0) / m
        p = p / p.sum(1)[:, None] / n
    return p


WITNESS = {
    "fixed_point": Witness(fixed_point, points=[(X, W)]),
    "ode_rk4_adjoint": Witness(ode, points=[(X, np.multiply(W, 5).tolist())]),
    "sinkhorn": Witness(sinkhorn, points=[(COST,)], ulp=100),  # alpha + beta - dy is a small difference
}
