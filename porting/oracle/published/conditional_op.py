"""Piecewise linear: twice the input above 0, half of it from 0 down.

    y  = 2 x  [x > 0]  +  x / 2  [x <= 0]
    dx = 2 dy [x > 0]  +  dy / 2 [x <= 0]

At the kink x = 0 the lower branch counts: dx = dy / 2. A NaN belongs to neither branch, so value and gradient are 0
there.

Source: "How can I define a custom gradient function in PyTorch?", example 2 (`ConditionalOp`), as printed.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op(kinks={"x": (0.0,)})
def conditional_op(x: Any) -> Any:
    """2 x above 0, x / 2 from 0 down."""
    return np.where(x > 0, 2 * x, np.where(x <= 0, 0.5 * x, np.zeros_like(x)))


@conditional_op.defvjp
def conditional_op_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The slope of the branch that x is in."""
    return np.where(x > 0, 2 * dy, np.where(x <= 0, 0.5 * dy, np.zeros_like(dy)))
