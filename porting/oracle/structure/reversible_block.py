"""A residual block of two streams that keeps its outputs and not its inputs: these are computed back from them.

    y   = (y1, y2)                               with y1 = x1 + tanh(x2 w1), y2 = x2 + tanh(y1 w2)
    dx1 = dy1 + q2 w2^T                          with q2 = dy2 (1 - tanh(y1 w2)^2)
    dx2 = dy2 + q1 w1^T                          with q1 = dx1 (1 - tanh(x2 w1)^2), x2 = y2 - tanh(y1 w2)
    dw1 = x2^T q1,  dw2 = y1^T q2                summed over all axes but the last

The block can be run backward: y1 gives tanh(y1 w2), which gives x2, which would give x1. So of a stack of blocks the
last outputs are enough. The oracle has the inputs and uses them; the twins compute x2 back, with the rounding error of
one subtraction. 1 - tanh(a)^2 is computed as 1/cosh(a)^2, which keeps its digits where tanh is close to 1.
A sum of products overflows long before tanh has to, so the domain is one of ordinary numbers.

Source: Gomez, Ren, Urtasun & Grosse, "The Reversible Residual Network", 2017, with tanh(x w) as F and G.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sech_squared
from porting.spec import op


@op(
    shapes={"x1": (..., "n"), "x2": (..., "m"), "w1": ("m", "n"), "w2": ("n", "m")},
    domain=dict.fromkeys(("x1", "x2", "w1", "w2"), (-2.0, 2.0)),
    refuses=({"w1": [[1.0]]}, {"w2": [[1.0]]}),
)
def reversible_block(x1: Any, x2: Any, w1: Any, w2: Any) -> Any:
    """(x1 + tanh(x2 w1), x2 + tanh(y1 w2))."""
    n, m = x1.shape[-1], x2.shape[-1]
    for name, w, shape in (("w1", w1, [m, n]), ("w2", w2, [n, m])):
        if list(w.shape) != shape:
            raise ValueError(f"{name} of shape {list(w.shape)}: wanted {shape}, by the last axes of x1 and x2")
    y1 = x1 + np.tanh(x2 @ w1)
    return y1, x2 + np.tanh(y1 @ w2)


@reversible_block.defvjp
def reversible_block_vjp(dy: Any, y: Any, x1: Any, x2: Any, w1: Any, w2: Any) -> Any:
    """Through the second half, then through the first."""
    y1, (dy1, dy2) = y[0], dy
    q2 = dy2 * sech_squared(y1 @ w2)
    dx1 = dy1 + q2 @ w2.T
    q1 = dx1 * sech_squared(x2 @ w1)
    return dx1, dy2 + q1 @ w1.T, _outer(x2, q1), _outer(y1, q2)


def _outer(a: Any, b: Any) -> Any:
    """a^T b, summed over all axes but the last."""
    return a.reshape(-1, a.shape[-1]).T @ b.reshape(-1, b.shape[-1])
