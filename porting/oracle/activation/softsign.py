"""Softsign: the input over one more than its size, between -1 and 1.

    y  = x / (1 + |x|)
    dx = dy / (1 + |x|)^2

Derivation: for x > 0, y = 1 - 1 / (1 + x), whose derivative is 1 / (1 + x)^2; y is odd, so its derivative is even. Both
sides have the slope 1 at 0, where |x| has none.

The gradient is (1 - |y|)^2 too, but 1 - |y| has lost its digits where y is near 1: the twins keep x, not y.

Source: Bergstra, Desjardins, Lamblin, Bengio, "Quadratic Polynomials Learn Better Image Features" (2009).
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def softsign(x: Any) -> Any:
    """x / (1 + |x|)."""
    refuse_integers("x", x)
    return x / (1 + np.abs(x))


@softsign.defvjp
def softsign_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 / (1 + |x|)^2, divided twice: the square would overflow."""
    r = 1 + np.abs(x)
    return dy / r / r
