"""Mish: the input times the hyperbolic tangent of its softplus.

    t  = tanh(log(1 + e^x))
    y  = x t
    dx = dy (t + x sigma(x) (1 - t^2))

Derivation: softplus' = sigma and tanh' = 1 - tanh^2. For large x, 1 - t^2 is 0 before x sigma(x) is large; for large -x
both terms fall like e^x.

Source: Misra, "Mish: A Self Regularized Non-Monotonic Activation Function" (2019).
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid, softplus
from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def mish(x: Any) -> Any:
    """x tanh(softplus(x))."""
    refuse_integers("x", x)
    return x * np.tanh(softplus(x))


@mish.defvjp
def mish_vjp(dy: Any, y: Any, x: Any) -> Any:
    """t + x sigma(x) (1 - t^2), the last factor as (1 - t)(1 + t)."""
    t = np.tanh(softplus(x))
    return dy * (t + x * sigmoid(x) * (1 - t) * (1 + t))
