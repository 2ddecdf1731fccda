"""Swish, the input gated by its own logistic function; SiLU where beta is 1.

    s  = sigma(beta x)
    y  = x s
    dx = dy (s + beta x s (1 - s))

Derivation: sigma' = sigma (1 - sigma), and the product rule. 1 - s is taken as sigma(-beta x), and beta multiplies
x s (1 - s), which is never large, instead of x: so nothing cancels, and beta x may overflow.

Source: Ramachandran, Zoph & Le, "Searching for Activation Functions" (2017); with beta = 1, Hendrycks & Gimpel (2016)
and Elfwing, Uchibe & Doya (2017).
"""

from typing import Any

from porting.oracle.elementary import sigmoid
from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(statics={"beta": (2.5, -0.5)}, refuses=({"x": [1, 2]},))
def swish(x: Any, *, beta: float = 1.0) -> Any:
    """x sigma(beta x)."""
    refuse_integers("x", x)
    return x * sigmoid(beta * x)


@swish.defvjp
def swish_vjp(dy: Any, y: Any, x: Any, *, beta: float = 1.0) -> Any:
    """s + beta y (1 - s)."""
    return dy * (sigmoid(beta * x) + beta * (y * sigmoid(-beta * x)))
