"""Logistic function times a reciprocal square root, with a gradient that is not its derivative.

    s  = sigma(x),  r = (1 + e^x)^(-1/2)
    y  = s r
    dx = (1 - s^2) / 2 (1 + e^x)^(-3/2) (1 + 3 e^x) dy        as printed

The derivative is y (1 - 3 s / 2); at x = 0 it is 0.0884, where the printed formula gives 0.5303. The oracle writes the
printed formula so that nothing overflows: 1 - s^2 = sigma(-x) (1 + s) and (1 + 3 e^x) / (1 + e^x) = 1 + 2 s give

    dx = sigma(-x) (1 + s) (1 + 2 s) r / 2 dy.

The printed code multiplies 0 by infinity where e^x overflows. `activation/sigmoid_rsqrt` is the repaired op.

Source: "How can PyTorch's built-in derivatives be incorporated into custom autograd functions?", example 1
(`MyActivation`), as printed.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid, softplus
from porting.spec import op, unstated


@op(
    gradient_of=unstated(
        "as printed, the backward is not the derivative of the forward, nor of a function that is named"
    )
)
def my_activation(x: Any) -> Any:
    """sigma(x) / sqrt(1 + e^x)."""
    return sigmoid(x) * np.exp(-0.5 * softplus(x))


@my_activation.defvjp
def my_activation_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The printed formula, without its overflow."""
    s = sigmoid(x)
    r = np.exp(-0.5 * softplus(x))
    return dy * 0.5 * sigmoid(-x) * (1 + s) * (1 + 2 * s) * r
