"""Sign of two values, +1 and -1, whose gradient is that of a clipped identity.

    y  = +1 where x >= 0, -1 where x < 0
    dx = dy [|x| <= clip]

The gradient is the derivative of g(x) = min(max(x, -clip), clip). Beyond the clip it is 0, so that weights that are
decided already do not run away. Conventions: y = +1 at 0 and at -0, never 0, for a binary weight has two values; the
gradient passes where |x| is exactly the clip. A NaN is on neither side of a comparison: it is neither below 0 nor
outside the clip.

Source: Hubara, Courbariaux, Soudry, El-Yaniv & Bengio 2016, "Binarized Neural Networks" (clip = 1).
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def clipped(x: Any, *, clip: float) -> Any:
    """x between -clip and clip, the nearest of these beyond."""
    return np.clip(x, -clip, clip)


def places(x: Any, *, clip: float) -> tuple[Any, ...]:
    """The jump of the value, and both ends of the clip."""
    return 0.0, -clip, clip


@op(
    gradient_of=clipped,
    kinks={"x": places},
    statics={"clip": (0.5,)},
    refuses=({"x": [1, 2]}, {"clip": 0.0}, {"clip": -1.0}),
)
def ste_sign(x: Any, *, clip: float = 1.0) -> Any:
    """+1 from 0 up, -1 below."""
    refuse_integers("x", x)
    if not clip > 0:
        raise ValueError(f"clip={clip}: wanted clip > 0")
    return 1 - 2 * (x < 0).astype(x.dtype)


@ste_sign.defvjp
def ste_sign_vjp(dy: Any, y: Any, x: Any, *, clip: float = 1.0) -> Any:
    """dy where |x| is at most the clip, 0 outside."""
    return np.where(np.abs(x) > clip, 0.0, dy)
