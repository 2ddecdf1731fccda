"""Three values, -1, 0 and +1, whose gradient is that of the identity clipped at 1.

    y  = +1 where x > threshold, -1 where x < -threshold, else 0
    dx = dy [|x| <= 1]

The gradient is the derivative of g(x) = min(max(x, -1), 1); the threshold has no part in it. Conventions: exactly at
the threshold y = 0, as in the paper's definition; the gradient passes where |x| is exactly 1. A NaN is on neither side
of a comparison: it gives 0, and is not outside.

Source: Li, Zhang & Liu 2016, "Ternary Weight Networks" (the values, with threshold 0.7 E|x| and a scale, both left to
the caller); the clip is Hubara et al.'s (2016).
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def clipped(x: Any) -> Any:
    """x between -1 and 1, the nearest of these beyond."""
    return np.clip(x, -1, 1)


def places(x: Any, *, threshold: float) -> tuple[Any, ...]:
    """Both jumps of the value, and both ends of the clip."""
    return -threshold, threshold, -1.0, 1.0


@op(
    gradient_of=clipped,
    kinks={"x": places},
    statics={"threshold": (0.5, 0.0)},
    refuses=({"x": [1, 2]}, {"threshold": -0.5}),
)
def ste_ternary(x: Any, *, threshold: float) -> Any:
    """The sign of x, 0 up to the threshold."""
    refuse_integers("x", x)
    if not threshold >= 0:
        raise ValueError(f"threshold={threshold}: wanted threshold >= 0")
    return (x > threshold).astype(x.dtype) - (x < -threshold).astype(x.dtype)


@ste_ternary.defvjp
def ste_ternary_vjp(dy: Any, y: Any, x: Any, *, threshold: float) -> Any:
    """dy where |x| is at most 1, 0 outside."""
    return np.where(np.abs(x) > 1, 0.0, dy)
