"""A spike whose gradient is a triangle.

    y  = [x > 0]
    dx = dy (dampening / width) max(0, 1 - |x| / width)

x is the membrane potential less the threshold. The gradient is the derivative of a g(x) that rises from 0 to
`dampening` between -width and width, in two parabolas: the peak of the gradient is dampening / width, and the area
under it is `dampening`. Bellec et al. write dampening max(0, 1 - |v|) for the potential v in units of the threshold;
with `width` the threshold, the chain rule from v to x gives the factor 1 / width. Taken as (width - |x|) / width, where
the difference is exact close to the ends, nothing cancels. At 0 there is no spike, and the gradient is its peak; at
width and beyond it is 0. A NaN gives no spike and the gradient NaN.

Source: Bellec, Salaj, Subramoney, Legenstein & Maass 2018, "Long short-term memory and learning-to-learn in networks of
spiking neurons" (dampening = 0.3); with the factor 1 / threshold in Bellec et al. 2020, "A solution to the learning
dilemma for recurrent networks of spiking neurons".
"""

from typing import Any

import numpy as np

from porting.spec import op


def two_parabolas(x: Any, *, width: float, dampening: float) -> Any:
    """dampening (1/2 + t - t |t| / 2) with t = x / width between -1 and 1."""
    t = np.clip(x / width, -1, 1)
    return dampening * (0.5 + t - t * np.abs(t) / 2)


def places(x: Any, *, width: float, dampening: float) -> tuple[Any, ...]:
    """The peak and both feet of the triangle."""
    return 0.0, -width, width


@op(
    gradient_of=two_parabolas,
    kinks={"x": places},
    statics={"width": (0.5,), "dampening": (1.0,)},
    refuses=({"width": 0.0}, {"width": -1.0}, {"dampening": 0.0}),
)
def triangular_spike(x: Any, *, width: float = 1.0, dampening: float = 0.3) -> Any:
    """1 above 0, else 0."""
    if not (width > 0 and dampening > 0):
        raise ValueError(f"width={width}, dampening={dampening}: wanted width > 0 and dampening > 0")
    return (x > 0).astype(x.dtype)


@triangular_spike.defvjp
def triangular_spike_vjp(dy: Any, y: Any, x: Any, *, width: float = 1.0, dampening: float = 0.3) -> Any:
    """dampening / width at 0, falling in straight lines to 0 at the width."""
    return dy * (dampening / width) * (np.maximum(width - np.abs(x), 0) / width)
