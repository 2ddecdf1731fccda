"""A function that keeps its inputs only: whatever its gradient needs is computed again.

    y  = fn(x)
    dx = dy fn'(x)

In both trees `recompute` is a decorator of functions of any tensors, in their own framework. Here it is an op that has
the function as a static, so that one Python function of arithmetic can be asked for everywhere: it works element by
element, and on complex numbers, whose imaginary part gives the derivative to the last digit (the complex step).

Source: Chen, Xu, Zhang & Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016.
The complex step: Squire & Trapp, "Using Complex Variables to Estimate Derivatives of Real Functions", 1998.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from porting.spec import op

STEP = 1e-30


def cubic(x: Any) -> Any:
    """x^3 - x."""
    return x * x * x - x


def parabola(x: Any) -> Any:
    """x^2."""
    return x * x


@op(statics={"fn": (cubic, parabola)})
def recompute(x: Any, *, fn: Callable[[Any], Any]) -> Any:
    """fn(x)."""
    return fn(x)


@recompute.defvjp
def recompute_vjp(dy: Any, y: Any, x: Any, *, fn: Callable[[Any], Any]) -> Any:
    """The imaginary part of fn beside x."""
    if np.iscomplexobj(x):
        raise TypeError("x is complex: the step into the imaginary part is taken already")
    return dy * (np.imag(fn(x + STEP * 1j)) / STEP)


recompute = recompute.through("structure.recompute:recomputed")
