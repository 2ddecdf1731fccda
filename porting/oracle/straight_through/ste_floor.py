"""Floor whose gradient passes straight through.

    y  = the largest integer that is not above x
    dx = dy

The derivative of the staircase is 0 wherever it exists; the gradient is that of the identity instead. Exactly at an
integer y = x.

Source: Bengio, Leonard & Courville 2013, "Estimating or Propagating Gradients Through Stochastic Neurons".
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import identity, op


def nearest_integer(x: Any) -> tuple[Any, ...]:
    """The jump that x is closest to."""
    return (np.round(x),)


@op(gradient_of=identity, kinks={"x": nearest_integer}, refuses=({"x": [1, 2]},))
def ste_floor(x: Any) -> Any:
    """The largest integer that is not above x."""
    refuse_integers("x", x)
    return np.floor(x)


@ste_floor.defvjp
def ste_floor_vjp(dy: Any, y: Any, x: Any) -> Any:
    """dy, as it comes."""
    return dy
