"""Logistic function times a reciprocal square root: the repaired `published/my_activation`.

    s  = sigma(x),  r = (1 + e^x)^(-1/2) = sigma(-x)^(1/2) = exp(log sigma(-x) / 2)
    y  = s r
    dx = y ((1 - s) - s / 2) dy

Derivation: log y = log sigma(x) + log sigma(-x) / 2, with derivatives 1 - s and -s; so y' = y ((1 - s) - s / 2).
Written with log sigma nothing overflows and nothing underflows early: for large x, y falls like e^(-x/2), where the
printed e^x overflows and 0 times infinity gives NaN.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid, softplus
from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def sigmoid_rsqrt(x: Any) -> Any:
    """sigma(x) / sqrt(1 + e^x)."""
    refuse_integers("x", x)
    return sigmoid(x) * np.exp(-0.5 * softplus(x))


@sigmoid_rsqrt.defvjp
def sigmoid_rsqrt_vjp(dy: Any, y: Any, x: Any) -> Any:
    """y (1 - s - s / 2), with 1 - s taken as sigma(-x) so that nothing cancels."""
    return dy * y * (sigmoid(-x) - 0.5 * sigmoid(x))
