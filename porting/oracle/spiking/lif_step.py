"""One step of a leaky integrate-and-fire neuron: input and potential in, spike and next potential out.

    u  = decay v + x
    y  = (s, u - threshold s) with s = [u > threshold]         the spike, and the next potential, reset by subtraction
    dx = ds / (1 + slope |u - threshold|)^2 + dv_next
    dv = decay dx

The spike has the fast sigmoid's gradient (`fast_sigmoid_spike`), in u - threshold. The reset is detached: v_next
depends on x and v through u alone, and threshold s is a constant to the gradient. So this is the derivative of g(x, v)
= (fast sigmoid of u - threshold, u). With the reset in the gradient, every spike would send back -threshold times the
surrogate through time, which is known to hurt. At u = threshold there is no spike, and the surrogate is 1. Both inputs
have the same shape.

Source: Zenke & Ganguli 2018, "SuperSpike", for the gradient; Zenke & Vogels 2021, "The Remarkable Robustness of
Surrogate Gradient Learning", for the detached reset.
"""

from typing import Any

import numpy as np

from porting.spec import op


def fast_sigmoid_and_potential(x: Any, v: Any, *, decay: float, threshold: float, slope: float) -> tuple[Any, Any]:
    """The fast sigmoid of u - threshold, and u, which is not reset."""
    u = decay * v + x
    return (u - threshold) / (1 + slope * np.abs(u - threshold)), u


def reaches_threshold(x: Any, v: Any, *, decay: float, threshold: float, slope: float) -> tuple[Any, ...]:
    """The input that brings the potential to the threshold."""
    return (threshold - decay * v,)


@op(
    gradient_of=fast_sigmoid_and_potential,
    kinks={"x": reaches_threshold},
    statics={"decay": (0.75, 0.0), "threshold": (1.0, 0.5), "slope": (5.0, 25.0)},
    refuses=({"decay": -0.1}, {"decay": 1.5}, {"slope": 0.0}, {"x": [1.0, 2.0], "v": [[1.0, 2.0]]}),
)
def lif_step(x: Any, v: Any, *, decay: float, threshold: float, slope: float) -> tuple[Any, Any]:
    """The spike and the next potential."""
    if not (0 <= decay <= 1 and slope > 0):
        raise ValueError(f"decay={decay}, slope={slope}: wanted 0 <= decay <= 1 and slope > 0")
    if x.shape != v.shape:
        raise ValueError(f"x of shape {list(x.shape)}, v of shape {list(v.shape)}: wanted one shape")
    u = decay * v + x
    spike = (u > threshold).astype(u.dtype)
    return spike, u - threshold * spike


@lif_step.defvjp
def lif_step_vjp(dy: Any, y: Any, x: Any, v: Any, *, decay: float, threshold: float, slope: float) -> tuple[Any, Any]:
    """The surrogate and the leak; v's gradient is decay times x's."""
    r = 1 / (1 + slope * np.abs(decay * v + x - threshold))
    dx = dy[0] * r * r + dy[1]
    return dx, decay * dx
