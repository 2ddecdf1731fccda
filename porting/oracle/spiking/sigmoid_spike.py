"""A spike whose gradient is that of the logistic function.

    y  = [x > 0]
    dx = dy slope sigma(slope x) sigma(-slope x)

x is the membrane potential less the threshold. The gradient is the derivative of g(x) = sigma(slope x), which rises
from 0 to 1: `slope` sets the width, the peak of the gradient is slope / 4, and the area under it is 1. The usual form
slope e^(-slope x) / (1 + e^(-slope x))^2 is infinity over infinity for x far below 0; with s = sigma(-slope |x|), which
is at most 1/2, the gradient is dy slope s (1 - s): nothing overflows and nothing cancels. At 0 there is no spike, and
the gradient is dy slope / 4; a NaN gives no spike and the gradient NaN.

Source: Zenke & Ganguli 2018, "SuperSpike", where the derivative of a (fast) sigmoid stands for that of the spike; the
logistic one is compared with it by Zenke & Vogels 2021, "The Remarkable Robustness of Surrogate Gradient Learning".
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid
from porting.spec import op


def logistic(x: Any, *, slope: float) -> Any:
    """sigma(slope x)."""
    return sigmoid(slope * x)


@op(gradient_of=logistic, kinks={"x": (0.0,)}, statics={"slope": (2.0,)}, refuses=({"slope": 0.0}, {"slope": -1.0}))
def sigmoid_spike(x: Any, *, slope: float = 25.0) -> Any:
    """1 above 0, else 0."""
    if not slope > 0:
        raise ValueError(f"slope={slope}: wanted slope > 0")
    return (x > 0).astype(x.dtype)


@sigmoid_spike.defvjp
def sigmoid_spike_vjp(dy: Any, y: Any, x: Any, *, slope: float = 25.0) -> Any:
    """slope / 4 at 0, falling like e^(-slope |x|) on both sides."""
    s = sigmoid(-slope * np.abs(x))
    return dy * slope * s * (1 - s)
