"""Gradient reversal: the value as it is, the gradient with the other sign.

    y  = x
    dx = -scale dy

The gradient is the derivative of g(x) = -scale x. What lies above the op is trained to descend, what lies below to
ascend the same loss: a feature extractor that leaves a classifier of domains nothing to tell them by.

Source: Ganin, Lempitsky, "Unsupervised Domain Adaptation by Backpropagation", ICML 2015, equations 7 and 8.
"""

from typing import Any

from porting.spec import op


def reversed_and_scaled(x: Any, *, scale: float) -> Any:
    """-scale x."""
    return -scale * x


@op(gradient_of=reversed_and_scaled, statics={"scale": (0.25, -3.0)})
def reverse_gradient(x: Any, *, scale: float = 1.0) -> Any:
    """Return x."""
    return x


@reverse_gradient.defvjp
def reverse_gradient_vjp(dy: Any, y: Any, x: Any, *, scale: float = 1.0) -> Any:
    """-scale."""
    return -scale * dy
