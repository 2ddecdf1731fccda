"""Exponential whose gradient stops growing at a limit.

    y  = e^x
    dx = dy e^min(x, limit)

The gradient is the derivative of g(x) = e^x up to the limit, and of g's tangent e^limit (1 + x - limit) above it.

Source: instant-ngp (Mueller et al. 2022) and its PyTorch port torch-ngp, which clamps from below too (-15) in its first
version; that side has nothing to limit, for e^x is small there.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def exp_and_tangent(x: Any, *, limit: float) -> Any:
    """e^x up to the limit, its tangent above."""
    return np.where(x <= limit, np.exp(np.minimum(x, limit)), np.exp(limit) * (1 + x - limit))


@op(gradient_of=exp_and_tangent, statics={"limit": (0.5,)}, refuses=({"x": [1, 2]},))
def trunc_exp(x: Any, *, limit: float = 15.0) -> Any:
    """e^x."""
    refuse_integers("x", x)
    return np.exp(x)


@trunc_exp.defvjp
def trunc_exp_vjp(dy: Any, y: Any, x: Any, *, limit: float = 15.0) -> Any:
    """e^min(x, limit)."""
    return dy * np.exp(np.minimum(x, limit))
