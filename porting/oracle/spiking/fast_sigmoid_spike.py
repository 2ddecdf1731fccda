"""A spike whose gradient is that of the fast sigmoid.

    y  = [x > 0]
    dx = dy / (1 + slope |x|)^2

x is the membrane potential less the threshold. The gradient is the derivative of g(x) = x / (1 + slope |x|), a fast
sigmoid with slope 1 at 0 whatever `slope` is: `slope` sets the width, the peak of the gradient stays 1, and the area
under it is 2 / slope. No exponential, so nothing overflows; written as dy r r with r = 1 / (1 + slope |x|), the square
does not either. At 0 there is no spike, and the gradient is dy; a NaN gives no spike and the gradient NaN.

Source: Zenke & Ganguli 2018, "SuperSpike: Supervised Learning in Multilayer Spiking Neural Networks".
"""

from typing import Any

import numpy as np

from porting.spec import op


def fast_sigmoid(x: Any, *, slope: float) -> Any:
    """x / (1 + slope |x|)."""
    return x / (1 + slope * np.abs(x))


@op(gradient_of=fast_sigmoid, kinks={"x": (0.0,)}, statics={"slope": (2.0,)}, refuses=({"slope": 0.0}, {"slope": -1.0}))
def fast_sigmoid_spike(x: Any, *, slope: float = 25.0) -> Any:
    """1 above 0, else 0."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")
    return (x > 0).astype(x.dtype)


@fast_sigmoid_spike.defvjp
def fast_sigmoid_spike_vjp(dy: Any, y: Any, x: Any, *, slope: float = 25.0) -> Any:
    """1 at 0, falling like 1 / x^2 on both sides."""
    r = 1 / (1 + slope * np.abs(x))
    return dy * r * r
