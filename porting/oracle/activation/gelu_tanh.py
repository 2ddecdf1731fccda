"""Gaussian error linear unit, with the tanh approximation of the normal distribution.

    y  = x (1 + tanh(u)) / 2 = x s        u = sqrt(2 / pi) (x + 0.044715 x^3),  s = sigma(2 u)
    dx = dy (s + x s (1 - s) 2 u')        u' = sqrt(2 / pi) (1 + 3 * 0.044715 x^2)

Derivation: (1 + tanh(u)) / 2 = sigma(2 u), which keeps its digits where 1 + tanh(u) cancels. The cube may overflow, for
sigma of infinity is 1; in the gradient 0 times infinity would follow, so x is taken no further than 40 there, where
s (1 - s) has long been 0.

Source: Hendrycks & Gimpel, "Gaussian Error Linear Units (GELUs)" (2016).
"""

from math import pi, sqrt
from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid
from porting.oracle.refusals import refuse_integers
from porting.spec import op

LINEAR = sqrt(8 / pi)
CUBIC = 0.044715 * LINEAR


@op(refuses=({"x": [1, 2]},))
def gelu_tanh(x: Any) -> Any:
    """x (1 + tanh(u)) / 2."""
    refuse_integers("x", x)
    with np.errstate(over="ignore"):
        return x * sigmoid(x * (LINEAR + CUBIC * x * x))


@gelu_tanh.defvjp
def gelu_tanh_vjp(dy: Any, y: Any, x: Any) -> Any:
    """s + x s (1 - s) 2 u'."""
    c = np.clip(x, -40, 40)
    z = c * (LINEAR + CUBIC * c * c)
    return dy * (sigmoid(z) + c * sigmoid(z) * sigmoid(-z) * (LINEAR + 3 * CUBIC * c * c))
