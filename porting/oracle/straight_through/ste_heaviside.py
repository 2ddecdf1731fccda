"""Step from 0 to 1 whose gradient is that of a clipped identity.

    y  = [x > 0]
    dx = dy [|x| <= clip]

The gradient is the derivative of g(x) = min(max(x, -clip), clip), as for `ste_sign`; the value is half of that op's
step, but the gradient is the same, not half of it. Conventions: y = 0 at 0, where `ste_sign` has +1; the gradient
passes where |x| is exactly the clip. A NaN is on neither side of a comparison: it is not above 0, and not outside the
clip.

Source: `ste_heaviside` of larq (Geiger & Team 2020, "Larq: An Open-Source Library for Training Binarized Neural
Networks"); the estimator is Bengio, Leonard & Courville's (2013).
"""

from typing import Any

import numpy as np

from porting.spec import op


def clipped(x: Any, *, clip: float) -> Any:
    """x between -clip and clip, the nearest of these beyond."""
    return np.clip(x, -clip, clip)


def places(x: Any, *, clip: float) -> tuple[Any, ...]:
    """The jump of the value, and both ends of the clip."""
    return 0.0, -clip, clip


@op(gradient_of=clipped, kinks={"x": places}, statics={"clip": (0.5,)}, refuses=({"clip": 0.0}, {"clip": -1.0}))
def ste_heaviside(x: Any, *, clip: float = 1.0) -> Any:
    """1 above 0, else 0."""
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")
    return (x > 0).astype(x.dtype)


@ste_heaviside.defvjp
def ste_heaviside_vjp(dy: Any, y: Any, x: Any, *, clip: float = 1.0) -> Any:
    """dy where |x| is at most the clip, 0 outside."""
    return np.where(np.abs(x) > clip, 0.0, dy)
