"""A spike whose gradient is that of an arc tangent.

    y  = [x > 0]
    dx = dy (alpha / 2) / (1 + (pi alpha x / 2)^2)

x is the membrane potential less the threshold. The gradient is the derivative of g(x) = atan(pi alpha x / 2) / pi +
1/2, which rises from 0 to 1: `alpha` sets the width, the peak of the gradient is alpha / 2, and the area under it is 1.
At 0 there is no spike, and the gradient is dy alpha / 2; a NaN gives no spike and the gradient NaN.

Source: Fang, Yu, Chen, Masquelier, Huang & Tian 2021, "Incorporating Learnable Membrane Time Constants to Enhance
Learning of Spiking Neural Networks"; with alpha in SpikingJelly, by the same authors.
"""

from math import pi
from typing import Any

import numpy as np

from porting.spec import op


def arc_tangent(x: Any, *, alpha: float) -> Any:
    """atan(pi alpha x / 2) / pi + 1/2."""
    return np.arctan(pi / 2 * alpha * x) / pi + 0.5


@op(gradient_of=arc_tangent, kinks={"x": (0.0,)}, statics={"alpha": (0.5,)}, refuses=({"alpha": 0.0}, {"alpha": -1.0}))
def atan_spike(x: Any, *, alpha: float = 2.0) -> Any:
    """1 above 0, else 0."""
    if not alpha > 0:
        raise ValueError(f"alpha={alpha}: wanted alpha > 0")
    return (x > 0).astype(x.dtype)


@atan_spike.defvjp
def atan_spike_vjp(dy: Any, y: Any, x: Any, *, alpha: float = 2.0) -> Any:
    """alpha / 2 at 0, falling like 1 / x^2 on both sides; the square as a hypotenuse, which overflows late."""
    r = 1 / np.hypot(1, pi / 2 * alpha * x)
    return dy * (alpha / 2) * r * r
