"""Exponential whose gradient is doubled on purpose.

    y  = exp(x)
    dx = 2 exp(x) dy        the derivative of 2 exp(x)

Source: "How can I define a custom gradient function in PyTorch?", example 1 (`CustomExp`), as printed.
"""

from typing import Any

import numpy as np

from porting.spec import op


def doubled_exp(x: Any) -> Any:
    """2 exp(x), the function that the doubled gradient belongs to."""
    return 2 * np.exp(x)


@op(gradient_of=doubled_exp)
def custom_exp(x: Any) -> Any:
    """exp(x), differentiated as 2 exp(x)."""
    return np.exp(x)


@custom_exp.defvjp
def custom_exp_vjp(dy: Any, y: Any, x: Any) -> Any:
    """Twice the derivative of exp."""
    return 2 * y * dy
