"""Quantisation of activations to 2^bits levels between 0 and 1, with the gradient of the clip.

    n  = 2^bits - 1
    y  = round(n min(max(x, 0), 1)) / n
    dx = dy [0 <= x <= 1]

Rounding passes the gradient straight through, the clip does not: together this is the derivative of g(x) = min(max(x,
0), 1). Conventions: halves go to the even level; the gradient passes exactly at 0 and at 1. A NaN has the value NaN,
and is not outside.

Source: Zhou, Wu, Ni, Zhou, Wen & Zou 2016, "DoReFa-Net". More than 32 bits, which the paper takes for none at all,
are refused.
"""

from typing import Any

import numpy as np

from porting.spec import op


def clipped(x: Any) -> Any:
    """x between 0 and 1, the nearest of these beyond."""
    return np.clip(x, 0, 1)


def places(x: Any, *, bits: int) -> tuple[Any, ...]:
    """Both ends of the clip, and the jump between the two levels that x is between."""
    n = 2**bits - 1
    return 0.0, 1.0, (np.clip(np.floor(n * x), 0, n - 1) + 0.5) / n


@op(
    gradient_of=clipped,
    kinks={"x": places},
    statics={"bits": (2, 1, 3)},
    refuses=({"bits": 0}, {"bits": 33}, {"bits": 2.5}),
)
def dorefa_quantize(x: Any, *, bits: int) -> Any:
    """The nearest of 2^bits levels between 0 and 1."""
    if bits not in range(1, 33):
        raise ValueError(f"bits={bits}: wanted a whole number from 1 to 32")
    n = 2**bits - 1
    return np.round(n * np.clip(x, 0, 1)) / n


@dorefa_quantize.defvjp
def dorefa_quantize_vjp(dy: Any, y: Any, x: Any, *, bits: int) -> Any:
    """dy between 0 and 1, the ends included; 0 outside."""
    return np.where((x < 0) | (x > 1), 0.0, dy)
