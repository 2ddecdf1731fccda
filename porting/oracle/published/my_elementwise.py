"""Product with a decaying exponential, two inputs.

    y   = x1 exp(-x2)
    dx1 = exp(-x2) dy
    dx2 = -x1 exp(-x2) dy

Both inputs have the same shape; the printed backward does not reduce over broadcast axes.

Source: "How can PyTorch's built-in derivatives be incorporated into custom autograd functions?", example 2
(`MyElementWise`), as printed.
"""

from typing import Any

import numpy as np

from porting.spec import op


@op
def my_elementwise(x1: Any, x2: Any) -> Any:
    """x1 exp(-x2)."""
    return x1 * np.exp(-x2)


@my_elementwise.defvjp
def my_elementwise_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """The two partial derivatives."""
    return dy * np.exp(-x2), -dy * x1 * np.exp(-x2)
