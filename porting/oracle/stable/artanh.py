"""Inverse hyperbolic tangent, right up to the ends of (-1, 1).

    y  = (log1p(x) - log1p(-x)) / 2
    dx = dy / ((1 - x)(1 + x))

Derivation: artanh(x) = log((1 + x) / (1 - x)) / 2. The two logarithms have opposite signs, so their difference keeps
its digits near 0 and near the ends, where the quotient loses them. 1 - x^2 rounds x^2 first, an error that is large
beside what is left near an end; 1 - x is exact there. At -1 and 1 the value is infinite, beyond it is NaN.

Source: the hyperbolic layers of geoopt, whose `artanh` clips x to |x| <= 1 - 1e-7 first; here nothing is clipped.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(domain={"x": (-0.9921875, 0.9921875)}, nonfinite=True, refuses=({"x": [1, 2]},))
def artanh(x: Any) -> Any:
    """(log1p(x) - log1p(-x)) / 2."""
    refuse_integers("x", x)
    return (np.log1p(x) - np.log1p(-x)) / 2


@artanh.defvjp
def artanh_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 / (1 - x^2), with 1 - x^2 as (1 - x)(1 + x)."""
    return dy / ((1 - x) * (1 + x))
