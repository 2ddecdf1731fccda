"""The value as it is, each element of the gradient between two numbers.

    y  = x
    dx = min(max(dy, low), high)

No function has this gradient, for it is not linear in dy: ten times the cotangent is not ten times the gradient. If 0
is not between the two numbers, not even a cotangent of 0 gives 0. NaN stays NaN. At dy = low and dy = high the second
derivative is 1.

Source: common; Graves, "Generating Sequences With Recurrent Neural Networks", 2013, section 2.1, clips the derivatives
inside an LSTM in this way.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(
    gradient_of=unstated("clips the cotangent, so it is no derivative"),
    linear=False,
    statics={"low": (-0.5, 0.25, -np.inf), "high": (2.0, np.inf)},
    refuses=({"low": 3.0}, {"high": np.nan}),
)
def clip_gradient(x: Any, *, low: float, high: float) -> Any:
    """Return x."""
    if not low <= high:
        raise ValueError(f"low={low}, high={high}: wanted low <= high")
    return x


@clip_gradient.defvjp
def clip_gradient_vjp(dy: Any, y: Any, x: Any, *, low: float, high: float) -> Any:
    """Clip dy."""
    return np.clip(dy, low, high)
