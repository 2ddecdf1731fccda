"""A smooth step from 0 to 1 at x = 1/2, called a differentiable "round".

    t  = tanh(alpha (x - 1/2))
    y  = 1/2 + t / 2
    dx = alpha (1 - t^2) dy = alpha dy / cosh(alpha (x - 1/2))^2

The derivative of y is alpha (1 - t^2) / 2: the printed gradient is twice that, the derivative of t. So the contract is
`gradient_of` the step without its factor 1/2. The larger alpha, the steeper the step. The oracle takes y as
sigma(2 alpha (x - 1/2)) and 1 - t^2 as 1 / cosh^2, which keep their digits where t is close to -1 and 1.

Source: "How can I define a custom gradient function in PyTorch?", example 3 (`SmoothRound`), as printed.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid
from porting.spec import op


def full_step(x: Any, *, alpha: float) -> Any:
    """tanh(alpha (x - 1/2)), the function that the printed gradient belongs to."""
    return np.tanh(alpha * (x - 0.5))


@op(gradient_of=full_step, statics={"alpha": (0.5,)})
def smooth_round(x: Any, *, alpha: float = 10.0) -> Any:
    """1/2 + tanh(alpha (x - 1/2)) / 2."""
    return sigmoid(2 * alpha * (x - 0.5))


@smooth_round.defvjp
def smooth_round_vjp(dy: Any, y: Any, x: Any, *, alpha: float = 10.0) -> Any:
    """The derivative of the step without its factor 1/2."""
    return dy * alpha / np.cosh(alpha * (x - 0.5)) ** 2
