"""Squared sine: the repaired `published/my_complex_op`.

    y  = sin(x)^2
    dx = 2 sin(x) cos(x) dy

sin(2 x) would be shorter, but 2 x overflows where x is still finite.

It keeps x, not sin(x): a saved intermediate is a constant to PyTorch, and its second derivative would silently be
wrong.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x": [1, 2]},))
def sin_squared(x: Any) -> Any:
    """sin(x)^2."""
    refuse_integers("x", x)
    return np.sin(x) ** 2


@sin_squared.defvjp
def sin_squared_vjp(dy: Any, y: Any, x: Any) -> Any:
    """2 sin(x) cos(x)."""
    return 2 * np.sin(x) * np.cos(x) * dy
