"""Logarithm of the hyperbolic cosine: x^2 / 2 near 0, |x| - log 2 far out.

    y  = log(cosh(x)) = log1p(2 sinh(a / 2)^2) + |x| - a        a = min(|x|, 20)
    dx = dy tanh(x)

Derivation: cosh(a) = 1 + 2 sinh(a / 2)^2, so near 0 nothing cancels. log(cosh(x)) = |x| - log 2 + log1p(e^(-2 |x|)),
and beyond 20 the last term is below e^-40, so that y grows by |x| - a from there on; sinh is never taken where it
overflows. That formula is right far out, but near 0 it is a difference of two numbers near log 2, with no digit of
x^2 / 2 left for small x.

Source: the log-cosh loss, as in Keras; cosh(a) = 1 + 2 sinh(a / 2)^2 is elementary.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def log_cosh(x: Any) -> Any:
    """log(cosh(x))."""
    refuse_integers("x", x)
    a = np.minimum(np.abs(x), 20)
    return np.log1p(2 * np.sinh(a / 2) ** 2) + (np.abs(x) - a)


@log_cosh.defvjp
def log_cosh_vjp(dy: Any, y: Any, x: Any) -> Any:
    """tanh(x)."""
    return dy * np.tanh(x)
