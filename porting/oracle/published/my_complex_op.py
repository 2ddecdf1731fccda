"""Squared sine, with a gradient that takes the cosine of the wrong value.

    t  = sin(x)
    y  = t^2
    dx = 2 t cos(t) dy        as printed

The derivative is 2 sin(x) cos(x): the printed backward takes the cosine of the intermediate t instead of x. Near 0,
where t is close to x, the two agree, so a test at small inputs passes. `activation/sin_squared` is the repaired op.

Source: "How can PyTorch's built-in derivatives be incorporated into custom autograd functions?", example 3
(`MyComplexOp`), as printed.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(
    gradient_of=unstated(
        "as printed, the backward takes cos(sin(x)) for cos(x), which is no named function's derivative"
    )
)
def my_complex_op(x: Any) -> Any:
    """sin(x)^2."""
    return np.sin(x) ** 2


@my_complex_op.defvjp
def my_complex_op_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The printed formula."""
    t = np.sin(x)
    return 2 * t * dy * np.cos(t)
