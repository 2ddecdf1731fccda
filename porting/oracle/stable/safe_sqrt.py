"""Square root whose gradient is finite at 0.

    y  = sqrt(max(x, 0))
    dx = dy / (2 sqrt(max(x, eps)))

The gradient is the derivative of g(x) = sqrt(x) above eps, and of g's tangent sqrt(eps) + (x - eps) / (2 sqrt(eps))
from eps down. The value is not moved: sqrt(x + eps), the usual cure, is wrong everywhere. A number below 0, which
rounding makes of a 0, counts as 0.

Source: common; derived here.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def sqrt_and_tangent(x: Any, *, eps: float) -> Any:
    """sqrt(x) above eps, its tangent from there down."""
    return np.where(x > eps, np.sqrt(np.maximum(x, eps)), np.sqrt(eps) + (x - eps) / (2 * np.sqrt(eps)))


@op(
    gradient_of=sqrt_and_tangent,
    statics={"eps": (0.015625, 0.25)},
    refuses=({"x": [1, 2]}, {"eps": 0.0}, {"eps": -1.0}),
)
def safe_sqrt(x: Any, *, eps: float) -> Any:
    """sqrt(max(x, 0))."""
    refuse_integers("x", x)
    if not eps > 0:
        raise ValueError(f"eps={eps}: wanted eps > 0")
    return np.sqrt(np.maximum(x, 0))


@safe_sqrt.defvjp
def safe_sqrt_vjp(dy: Any, y: Any, x: Any, *, eps: float) -> Any:
    """1 / (2 sqrt(max(x, eps)))."""
    return 0.5 * dy / np.sqrt(np.maximum(x, eps))
