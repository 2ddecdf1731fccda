"""Quotient that is 0 where the divisor is 0, in value and gradients.

    y   = x1 / x2             0 where x2 = 0
    dx1 = dy / x2             0 where x2 = 0
    dx2 = -dy (x1 / x2) / x2  0 where x2 = 0

Both inputs have one shape. x2^2 is never taken: it overflows and underflows where the quotient is an ordinary number.

Source: `tf.math.divide_no_nan`.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(kinks={"x2": (0.0,)}, refuses=({"x1": [[1.0, 2.0]], "x2": [1.0, 2.0]},))
def safe_divide(x1: Any, x2: Any) -> Any:
    """x1 / x2, 0 where x2 = 0."""
    if np.shape(x1) != np.shape(x2):
        raise ValueError(f"x1 {list(np.shape(x1))}, x2 {list(np.shape(x2))}: wanted one shape")
    return np.where(x2 == 0, 0 * x2, x1 / np.where(x2 == 0, np.ones_like(x2), x2))


@safe_divide.defvjp
def safe_divide_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """1 / x2 and -y / x2, 0 where x2 = 0."""
    divisor = np.where(x2 == 0, np.full_like(x2, np.inf), x2)
    return dy / divisor, -(y / divisor) * dy
