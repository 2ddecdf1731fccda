"""The transport plan between uniform marginals, with entropy, differentiated at the solution.

    y      = the matrix p = exp(f_i + g_j - cost_ij / epsilon) whose rows sum to 1/n and whose columns sum to 1/m
    dcost  = p (alpha_i + beta_j - dy) / epsilon
             alpha / n + p beta = r,  p^T alpha + beta / m = c       r, c: the row and column sums of p dy

f and g are found by turns, each from the other, as logarithms, so that a small epsilon does not overflow (Sinkhorn's
iteration). Differentiating the two conditions on the sums gives the linear system, whose matrix is symmetric and is
blind to adding a constant to alpha and taking it from beta. That changes nothing in dcost; here beta has the sum 0.
The backward needs the plan alone. After too few iterations the plan's columns do not sum to 1/m, and the gradient is
not that of the value.

Source: Cuturi, "Sinkhorn Distances", 2013; the gradient at the solution: Luise et al., "Differential Properties of
Sinkhorn Approximation", 2018.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(
    shapes={"cost": (..., "n", "m")},
    domain={"cost": (0.0, 1.0)},
    statics={"epsilon": (2.0,), "iterations": (15,)},  # converges to the last digit for any cost of the domain
    refuses=({"cost": [1, 2]}, {"epsilon": 0.0}, {"iterations": 0}, {"cost": [0.5, 0.2]}),
)
def sinkhorn(cost: Any, *, epsilon: float, iterations: int) -> Any:
    """The plan after `iterations` turns; its rows sum to 1/n exactly."""
    refuse_integers("cost", cost)
    if epsilon <= 0:
        raise ValueError(f"epsilon={epsilon}: wanted epsilon > 0")
    if iterations < 1:
        raise ValueError(f"iterations={iterations}: wanted iterations >= 1")
    if cost.ndim < 2:
        raise ValueError(f"cost of shape {list(cost.shape)}: wanted a matrix, or a batch of them")
    n, m = cost.shape[-2:]
    logits = -cost / epsilon
    f = 0
    for _ in range(iterations):
        g = -_log_sum_exp(logits + f, -2) - float(np.log(m))
        f = -_log_sum_exp(logits + g, -1) - float(np.log(n))
    return np.exp(logits + f + g)


@sinkhorn.defvjp
def sinkhorn_vjp(dy: Any, y: Any, cost: Any, *, epsilon: float, iterations: int) -> Any:
    """Eliminate alpha; fix the sum of beta by adding the matrix of ones to the rest, which has no other effect."""
    n, m = y.shape[-2:]
    pt = np.swapaxes(y, -1, -2)
    r, c = (y * dy).sum(-1)[..., None], (y * dy).sum(-2)[..., None]
    rest = np.eye(m, dtype=y.dtype) / m - n * (pt @ y) + 1 / m**2
    beta = np.linalg.solve(rest, c - n * (pt @ r))
    alpha = n * (r - y @ beta)
    return y * (alpha + np.swapaxes(beta, -1, -2) - dy) / epsilon


def _log_sum_exp(x: Any, axis: int) -> Any:
    top = np.real(x).max(axis, keepdims=True)
    return top + np.log(np.exp(x - top).sum(axis, keepdims=True))
