"""The value as it is, the gradient no longer than max_norm.

    y  = x
    dx = dy min(1, max_norm / |dy|),    |dy| = sqrt(sum of dy^2 over the axes; over all of them when None)

A gradient that is short enough is left as it is, to the last bit; a longer one keeps its direction. Not linear in dy,
so no function has this gradient.

Where |dy| = 0 the quotient is not defined, but dx is: 0. And |dy| overflows long before dx would, from 1e154 on (256 in
float16). Both are cured by the largest magnitude, m = max |dy|: with u = dy / m and t = max_norm / |u|, where |u| is
between 1 and sqrt(n), dx = dy if m <= t, else dx = u t. Mathematically neither depends on m, so for the second
derivative m is a constant.

If dy has a NaN or an infinity, all of dx that shares its length is NaN: nothing is hidden.

Source: Pascanu, Mikolov, Bengio, "On the difficulty of training recurrent neural networks", ICML 2013, algorithm 1.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(
    gradient_of=unstated("clips the length of the cotangent, so it is no derivative"),
    linear=False,
    statics={"max_norm": (3.0, 0.0, np.inf), "axis": (-1, (0,))},
    refuses=(
        {"max_norm": -1.0},
        {"max_norm": np.nan},
        {"axis": 2},
        {"axis": (0, -3)},
        {"axis": (0, -2)},
        {"axis": ()},
    ),
)
def clip_gradient_norm(x: Any, *, max_norm: float, axis: int | tuple[int, ...] | None = None) -> Any:
    """Return x."""
    if not max_norm >= 0:
        raise ValueError(f"max_norm={max_norm}: wanted max_norm >= 0")
    if axis is not None:
        axes = (axis,) if isinstance(axis, int) else axis
        if not axes or len({k % x.ndim for k in axes if -x.ndim <= k < x.ndim}) < len(axes):
            raise ValueError(f"axis={axis}: wanted None or different axes of x {list(x.shape)}")
    return x


@clip_gradient_norm.defvjp
def clip_gradient_norm_vjp(
    dy: Any, y: Any, x: Any, *, max_norm: float, axis: int | tuple[int, ...] | None = None
) -> Any:
    """Shorten dy to max_norm."""
    m = np.max(np.abs(dy), axis, keepdims=True, initial=0)
    u = dy / np.where(m > 0, m, 1)
    t = max_norm / np.sqrt(np.maximum(np.sum(u * u, axis, keepdims=True), 0.25))  # it is 0, or 1 at least
    return np.where(m <= t, dy, u * t)
