"""Minimum of x and a bound; what lies above the bound gets a gradient where that moves it back.

    y      = min(x, bound)
    held   = dy [x > bound]                 gradient="disconnected": the derivative
             dy [x > bound] [dy <= 0]       gradient="identity_if_towards"
             0                              gradient="identity": x as if there were no bound
    dx     = dy - held
    dbound = held

The derivative of min leaves an x above the bound without a gradient, for ever. With identity_if_towards x gets the
cotangent all the same where descent, a step along -dy, moves x back towards the bound (dy > 0); only where that would
move x further away is the gradient 0. Not linear in dy, so no function has this gradient; the other two modes have one,
min(x, bound) and x.

The source gives no gradient for the bound except in the mode disconnected. Here it follows from
min(x + c, bound + c) = min(x, bound) + c: the two gradients of an element add up to dy. With identity that is 0 for the
bound, and with identity_if_towards what x does not get: where the loss wants y on the far side of the bound, x is of
no use and the bound itself gives way.

At x = bound, a kink, x gets all of dy in every mode, as in the source. At dy = 0 all gradients are 0. Where x or the
bound is NaN, so is y, and x gets dy. x and the bound have one shape.

Source: Ballé, Minnen, Singh, Hwang, Johnston, "Variational image compression with a scale hyperprior", ICLR 2018;
upper_bound of tensorflow-compression, LowerBound of compressai.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated

MODES = ("identity_if_towards", "identity", "disconnected")


def at_the_bound(x: Any, bound: Any, **_: Any) -> tuple[Any, ...]:
    """Return where x meets the bound."""
    return (bound,)


def at_x(x: Any, bound: Any, **_: Any) -> tuple[Any, ...]:
    """Return where the bound meets x."""
    return (x,)


@op(
    gradient_of=unstated("passes by the sign of the cotangent, so it is no derivative"),
    linear=False,
    kinks={"x": at_the_bound, "bound": at_x},
    statics={"gradient": MODES},
    refuses=({"gradient": "towards"}, {"bound": [0.0, 1.0]}),
)
def upper_bound(x: Any, bound: Any, *, gradient: str = "identity_if_towards") -> Any:
    """min(x, bound)."""
    if gradient not in MODES:
        raise ValueError(f"gradient={gradient!r}: wanted one of {', '.join(MODES)}")
    if bound.shape != x.shape:
        raise ValueError(f"bound of shape {list(bound.shape)}: wanted {list(x.shape)}, the shape of x")
    return np.minimum(x, bound)


@upper_bound.defvjp
def upper_bound_vjp(dy: Any, y: Any, x: Any, bound: Any, *, gradient: str = "identity_if_towards") -> Any:
    """To the bound what it holds back, to x the rest."""
    if gradient == "identity":
        return dy, np.zeros_like(bound)
    part = dy if gradient == "disconnected" else np.minimum(dy, 0)
    held = np.where(x > bound, part, 0 * dy)
    return dy - held, held
