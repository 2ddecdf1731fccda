"""The value as it is, the gradient times a number: a learning rate for what lies below.

    y  = x
    dx = scale dy

The gradient is the derivative of g(x) = scale x. With 1 the op does nothing, with 0 it stops the gradient.

Source: GradMultiply of fairseq, by which the feature encoder of wav2vec 2.0 (Baevski et al., NeurIPS 2020) learns more
slowly than the rest.
"""

from typing import Any

from porting.spec import op


def scaled(x: Any, *, scale: float) -> Any:
    """Scale x."""
    return scale * x


@op(gradient_of=scaled, statics={"scale": (0.1, 0.0, -3.0)})
def scale_gradient(x: Any, *, scale: float) -> Any:
    """Return x."""
    return x


@scale_gradient.defvjp
def scale_gradient_vjp(dy: Any, y: Any, x: Any, *, scale: float) -> Any:
    """Scale."""
    return scale * dy
