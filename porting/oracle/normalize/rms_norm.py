"""Division by the root mean square over the last axis, times a gain.

    r     = sqrt(mean(x^2) + eps)                the mean over the last axis
    y     = gain x / r
    dx    = (g - u mean(g u)) / r                with g = gain dy, u = x / r
    dgain = sum of dy u                          over all axes but the last

The derivative of 1/r by x_j is -u_j / (n r^2), which gives the projection: dx is g without its part along u, as far
as eps is small. eps > 0 keeps a row of zeros at 0, where the gradient is g / sqrt(eps).

x^2 would overflow from 1e19 on in float32, and vanish below 1e-23. So each row is divided by its largest magnitude
first (or by sqrt(eps), if that is larger); r is the product of both. The scale is a constant to the derivative, for y
does not depend on it. Types of 16 bits are computed in float32.

Source: Zhang & Sennrich, "Root Mean Square Layer Normalization", 2019.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "gain": ("n",)},
    statics={"eps": (1e-5, 0.5)},
    refuses=({"x": [1, 2]}, {"eps": 0.0}, {"eps": -1.0}, {"gain": [1.0, 2.0]}),
)
def rms_norm(x: Any, gain: Any, *, eps: float) -> Any:
    """gain x / sqrt(mean(x^2) + eps), the mean over the last axis."""
    refuse_integers("x", x)
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    if x.shape[-1:] != gain.shape:
        raise ValueError(f"gain of shape {list(gain.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    unit, _ = _normalised(x, eps)
    return gain * unit


@rms_norm.defvjp
def rms_norm_vjp(dy: Any, y: Any, x: Any, gain: Any, *, eps: float) -> Any:
    """Project gain dy off the normalised rows; sum dy times the rows."""
    unit, r = _normalised(x, eps)
    g = gain * dy
    dx = (g - unit * (g * unit).mean(-1, keepdims=True)) / r
    return dx, (dy * unit).sum(tuple(range(x.ndim - 1)))


def _normalised(x: Any, eps: float) -> Any:
    """Return x / r, and r."""
    scale = np.maximum(np.abs(x).max(-1, keepdims=True), eps**0.5)
    x = x / scale
    r = np.sqrt((x * x).mean(-1, keepdims=True) + (eps**0.5 / scale) ** 2)
    return x / r, scale * r
