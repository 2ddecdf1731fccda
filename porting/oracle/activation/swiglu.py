"""Swish-gated linear unit: the second input, gated by the swish of the first.

    s   = sigma(x1)
    y   = x1 s x2
    dx1 = dy (s + x1 s (1 - s)) x2
    dx2 = dy x1 s

Both inputs have one shape. dy x2 alone may overflow where dx1 does not, so x2 comes last.

Source: Shazeer, "GLU Variants Improve Transformer" (2020): SwiGLU(x, W, V) = Swish(x W) * x V, so x1 = x W is the gate.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid
from porting.oracle.refusals import refuse_integers
from porting.spec import op


@op(refuses=({"x1": [1, 2]}, {"x1": [[1.0, 2.0]], "x2": [1.0, 2.0]}))
def swiglu(x1: Any, x2: Any) -> Any:
    """swish(x1) x2."""
    refuse_integers("x1", x1)
    if np.shape(x1) != np.shape(x2):
        raise ValueError(f"x1 {list(np.shape(x1))}, x2 {list(np.shape(x2))}: wanted one shape")
    return x1 * sigmoid(x1) * x2


@swiglu.defvjp
def swiglu_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """swish'(x1) x2 and swish(x1)."""
    s = sigmoid(x1)
    return dy * (s + x1 * s * sigmoid(-x1)) * x2, dy * (x1 * s)
