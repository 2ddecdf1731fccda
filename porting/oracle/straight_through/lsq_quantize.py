"""Quantisation whose step is learned.

    r     = clip(x / step, low, high)
    y     = round(r) step
    dx    = dy [low < x / step < high]
    dstep = g sum of dy (round(r) - r [low < x / step < high])          g = 1 / sqrt(n high), n elements of x

low and high are -2^(bits - 1) and 2^(bits - 1) - 1 if signed, else 0 and 2^bits - 1. By the product rule, with the
rounding taken as the identity, the derivative of round(r) step by the step is round(r) - x / step inside the range, low
or high outside. Exactly at the ends x is outside, as printed.

g brings the gradient of the one step to the size of those of the n weights. For activations the paper takes the number
of features for n, without the batch; here n is always the number of elements of x.

No function has this gradient, even without g: dx and dstep have different mixed derivatives, since the rounding is the
identity to one and a constant to the other. x / step is rounded half to even; 16 bits are computed in float32.

Source: Esser et al. 2020, "Learned Step Size Quantization", equations 1 to 5 and section 2.2.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op, unstated


def jumps(x: Any, step: Any, *, bits: int, signed: bool) -> tuple[Any, ...]:
    """The next half of a step, and both ends of the range."""
    low, high = _range(bits, signed)
    return (np.floor(x / step) + 0.5) * step, low * step, high * step


@op(
    gradient_of=unstated(
        "the rounding is the identity to x and a constant to the step, whose gradient is scaled as well"
    ),
    domain={"step": (0.5, 2.0)},
    shapes={"x": (..., "n"), "step": ()},
    statics={"bits": (2, 4), "signed": (True, False)},
    kinks={"x": jumps},
    refuses=({"x": [1, 2]}, {"bits": 1}, {"bits": 0, "signed": False}, {"bits": 25}, {"step": [1.0]}),
)
def lsq_quantize(x: Any, step: Any, *, bits: int, signed: bool) -> Any:
    """x / step clipped, rounded, times step."""
    refuse_integers("x", x)
    if not 1 + signed <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted {1 + signed} <= bits <= 24")
    if step.shape != ():
        raise ValueError(f"step of shape {list(step.shape)}: wanted []")
    return np.round(np.clip(x / step, *_range(bits, signed))) * step


@lsq_quantize.defvjp
def lsq_quantize_vjp(dy: Any, y: Any, x: Any, step: Any, *, bits: int, signed: bool) -> Any:
    """dy inside the range, and what rounding and clipping leave."""
    low, high = _range(bits, signed)
    r = np.clip(x / step, low, high)
    inside = (low < x / step) & (x / step < high)
    scale = 1 / (max(x.size, 1) * high) ** 0.5
    return dy * inside, scale * (dy * (np.round(r) - r * inside)).sum()


def _range(bits: int, signed: bool) -> tuple[int, int]:
    """Return the least and the largest integer."""
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
