"""Entmax with alpha = 1.5: between softmax (1) and sparsemax (2).

    y  = s^2,   s = max(x / 2 - tau, 0)   with tau such that y sums to 1
    dx = s (dy - m),   m = sum(s dy) / sum(s)

Derivation: dy_i = 2 s_i (dx_i / 2 - dtau), and the sum of dy is 0, so that dtau = sum(s dx) / (2 sum(s)); the Jacobian
diag(s) - s s^T / sum(s) is symmetric. How tau is found stands in `porting.oracle.simplex`.

The derivative is continuous: there are no kinks. The second derivative jumps where an element meets tau, which counts
as outside the support. A NaN makes its whole row NaN. Source: B. Peters, V. Niculae and A. F. T. Martins, "Sparse
sequence-to-sequence models", ACL 2019, algorithm 2 and proposition 2.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_axis, refuse_integers
from porting.oracle.simplex import entmax15_threshold
from porting.spec import op


@op(
    shapes={"x": (..., "n")},
    statics={"axis": (0,)},
    refuses=({"x": [1, 2]}, {"axis": 2}, {"axis": -3}, {"x": 1.0}, {"x": np.ones((2, 0))}),
)
def entmax15(x: Any, *, axis: int = -1) -> Any:
    """Probabilities, those of small x exactly 0."""
    refuse_integers("x", x)
    refuse_axis(x, axis)
    half = x / 2
    z = half - np.max(half, axis, keepdims=True)
    return np.maximum(z - entmax15_threshold(z, axis), 0) ** 2


@entmax15.defvjp
def entmax15_vjp(dy: Any, y: Any, x: Any, *, axis: int = -1) -> Any:
    """dy less its mean with weights s, times s; from the largest s, so that nothing cancels where one s is 1."""
    s = np.sqrt(y)
    dy = dy - np.take_along_axis(dy, np.argmax(s, axis, keepdims=True), axis)
    return s * (dy - np.sum(s / np.sum(s, axis, keepdims=True) * dy, axis, keepdims=True))
