"""Clipping whose gradient passes everywhere.

    y  = min(max(x, low), high)
    dx = dy

The clip's own derivative is 0 outside, so that what is outside stays there. Here the gradient is that of the identity,
and brings it back. Exactly at low and high the gradient is dy as well, so there is nothing to choose; a NaN stays NaN.

Source: Bengio, Leonard & Courville 2013, "Estimating or Propagating Gradients Through Stochastic Neurons".
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import identity, op


@op(
    gradient_of=identity,
    statics={"low": (-0.5, 0.25), "high": (1.0, 0.5)},
    refuses=({"x": [1, 2]}, {"low": 1.0, "high": -1.0}, {"low": float("nan")}),
)
def ste_clamp(x: Any, *, low: float, high: float) -> Any:
    """x between low and high, the nearest of these beyond."""
    refuse_integers("x", x)
    if not low <= high:
        raise ValueError(f"low={low}, high={high}: wanted low <= high")
    return np.clip(x, low, high)


@ste_clamp.defvjp
def ste_clamp_vjp(dy: Any, y: Any, x: Any, *, low: float, high: float) -> Any:
    """dy, as it comes."""
    return dy
