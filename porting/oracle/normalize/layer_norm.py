"""Mean 0 and variance 1 over the last axis, then a gain and a bias.

    s     = sqrt(mean(c^2) + eps)                with c = x - mean(x), the means over the last axis
    y     = gain c / s + bias
    dx    = (h - u mean(h u)) / s                with u = c / s, h = g - mean(g), g = gain dy
    dgain = sum of dy u                          over all axes but the last
    dbias = sum of dy                            over all axes but the last

Centring and the division by s each take one direction out of the gradient: the mean, and the part along u (as far as
eps is small). eps > 0 keeps a constant row at the bias, where the gradient is h / sqrt(eps).

c^2 would overflow from 1e19 on in float32, and vanish below 1e-23. So each centred row is divided by its largest
magnitude first (or by sqrt(eps), if that is larger). The scale is a constant to the derivative, for y does not depend
on it. Types of 16 bits are computed in float32.

Source: Ba, Kiros & Hinton, "Layer Normalization", 2016.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "gain": ("n",), "bias": ("n",)},
    statics={"eps": (1e-5, 0.5)},
    refuses=({"x": [1, 2]}, {"eps": 0.0}, {"eps": -1.0}, {"gain": [1.0, 2.0]}, {"bias": [[1.0, 2.0, 3.0, 4.0]]}),
)
def layer_norm(x: Any, gain: Any, bias: Any, *, eps: float) -> Any:
    """gain (x - mean) / sqrt(variance + eps) + bias, over the last axis."""
    refuse_integers("x", x)
    if eps <= 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    for name, given in (("gain", gain), ("bias", bias)):
        if x.shape[-1:] != given.shape:
            raise ValueError(f"{name} of shape {list(given.shape)}: wanted {list(x.shape[-1:])}, the last axis of x")
    unit, _ = _normalised(x, eps)
    return gain * unit + bias


@layer_norm.defvjp
def layer_norm_vjp(dy: Any, y: Any, x: Any, gain: Any, bias: Any, *, eps: float) -> Any:
    """Centre gain dy and project it off the normalised rows; sum dy times the rows, and dy."""
    unit, s = _normalised(x, eps)
    g = gain * dy
    h = g - g.mean(-1, keepdims=True)
    dx = (h - unit * (h * unit).mean(-1, keepdims=True)) / s
    leading = tuple(range(x.ndim - 1))
    return dx, (dy * unit).sum(leading), dy.sum(leading)


def _normalised(x: Any, eps: float) -> Any:
    """Return c / s, and s; the second subtraction takes away what rounding left of the mean."""
    c = x - (x / x.shape[-1]).sum(-1, keepdims=True)
    c = c - c.mean(-1, keepdims=True)
    scale = np.maximum(np.abs(c).max(-1, keepdims=True), eps**0.5)
    c = c / scale
    s = np.sqrt((c * c).mean(-1, keepdims=True) + (eps**0.5 / scale) ** 2)
    return c / s, scale * s
