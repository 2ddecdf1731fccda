"""Logarithm of numbers that may be 0 or less: log(eps) from eps down, with the gradient of the tangent there.

    y  = log(max(x, eps))
    dx = dy / max(x, eps)

The gradient is the derivative of g(x) = log(x) above eps, and of g's tangent log(eps) + (x - eps) / eps from eps down.
The derivative of the value itself would be 0 there: a probability that has become 0 could never grow again.

Source: log(clamp(x, eps)), as commonly written by hand; the tangent in place of its zero gradient is ours.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def log_and_tangent(x: Any, *, eps: float) -> Any:
    """log(x) above eps, its tangent from there down."""
    return np.where(x > eps, np.log(np.maximum(x, eps)), np.log(eps) + (x - eps) / eps)


@op(gradient_of=log_and_tangent, statics={"eps": (0.015625, 0.5)}, refuses=({"x": [1, 2]}, {"eps": 0.0}, {"eps": -1.0}))
def safe_log(x: Any, *, eps: float) -> Any:
    """log(max(x, eps))."""
    refuse_integers("x", x)
    if not eps > 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    return np.log(np.maximum(x, eps))


@safe_log.defvjp
def safe_log_vjp(dy: Any, y: Any, x: Any, *, eps: float) -> Any:
    """1 / max(x, eps)."""
    return dy / np.maximum(x, eps)
