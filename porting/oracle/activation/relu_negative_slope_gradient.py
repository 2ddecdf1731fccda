"""ReLU whose gradient leaks with a (negative) slope from 0 down: the repaired `published/custom_relu`.

    y  = max(x, 0)
    dx = dy [x > 0]  +  slope dy [x <= 0]

The gradient is the derivative of g(x) = x [x > 0] + slope x [x <= 0], a leaky ReLU. Unlike the printed op it is linear
in dy: the slope multiplies the cotangent instead of standing in its place. At the kink x = 0 the slope counts, as
printed. A negative slope, the printed choice, drives a unit that is off further down when the loss wants it up.
"""

from typing import Any

import numpy as np

from porting.spec import op


def leaky_relu(x: Any, *, slope: float) -> Any:
    """x above 0, slope x from 0 down."""
    return np.where(x > 0, x, slope * x)


@op(gradient_of=leaky_relu, kinks={"x": (0.0,)}, statics={"slope": (0.25,)})
def relu_negative_slope_gradient(x: Any, *, slope: float = -0.5) -> Any:
    """max(x, 0)."""
    return np.maximum(x, 0)


@relu_negative_slope_gradient.defvjp
def relu_negative_slope_gradient_vjp(dy: Any, y: Any, x: Any, *, slope: float = -0.5) -> Any:
    """1 above 0, the slope from 0 down."""
    return np.where(x > 0, dy, slope * dy)
