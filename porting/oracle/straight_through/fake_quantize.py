"""Integers of some bits and back; the gradient passes where nothing was clipped.

    q  = clip(round(x / scale) + zero_point, low, high)
    y  = (q - zero_point) scale
    dx = dy [low <= round(x / scale) + zero_point <= high]

low and high are -2^(bits - 1) and 2^(bits - 1) - 1 if signed, else 0 and 2^bits - 1. The gradient is the derivative of
the clip alone, min(max(x, (low - 1/2 - zero_point) scale), (high + 1/2 - zero_point) scale): the rounding passes
straight through. scale and zero_point get none.

x / scale is rounded half to even, before the zero point is added. Exactly at the ends of the range that decides whether
x is clipped: the gradient passes where the rounded number fits. There is one scale and one zero point, or one of each
per element of the last axis. Types of 16 bits are computed in float32: bfloat16 has no 257.

Source: Jacob et al. 2018, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference". Its equation 12 clips x to the ends of the integers before it rounds, so that there the gradient ends half a
step earlier; the value is the same.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def clipped(x: Any, scale: Any, zero_point: Any, *, bits: int, signed: bool) -> Any:
    """x between half a step below the lowest number and half a step above the highest."""
    low, high = _ends(scale, zero_point, bits, signed)
    return np.where(x < low, low, np.where(x > high, high, x))


def jumps(x: Any, scale: Any, zero_point: Any, *, bits: int, signed: bool) -> tuple[Any, ...]:
    """The next half of a step, and both ends of the range."""
    return (np.floor(x / scale) + 0.5) * scale, *_ends(scale, zero_point, bits, signed)


def _ends(scale: Any, zero_point: Any, bits: int, signed: bool) -> tuple[Any, Any]:
    low, high = _range(bits, signed)
    return (low - 0.5 - zero_point) * scale, (high + 0.5 - zero_point) * scale


@op(
    gradient_of=clipped,
    wrt=("x",),
    domain={"scale": (0.5, 2.0), "zero_point": range(2)},
    shapes={"x": (..., "n"), "scale": ("n",), "zero_point": ("n",)},
    statics={"bits": (3, 8), "signed": (True, False)},
    kinks={"x": jumps},
    refuses=(
        {"x": [1, 2]},
        {"bits": 0},
        {"bits": 25},
        {"scale": [1.0, 2.0]},
        {"zero_point": [[0, 0, 0, 0]]},
        {"zero_point": [0.0, 0.0, 0.0, 0.0]},
    ),
)
def fake_quantize(x: Any, scale: Any, zero_point: Any, *, bits: int, signed: bool) -> Any:
    """The number nearest to x that an integer of so many bits stands for."""
    refuse_integers("x", x)
    if not 1 <= bits <= 24:
        raise ValueError(f"bits={bits}: wanted 1 <= bits <= 24")
    if zero_point.dtype not in (np.int32, np.int64):
        raise TypeError(f"zero_point: int32 or int64 is wanted, got {zero_point.dtype}")
    for name, given in (("scale", scale), ("zero_point", zero_point)):
        if given.shape not in ((), x.shape[-1:]):
            raise ValueError(
                f"{name} of shape {list(given.shape)}: wanted [] or {list(x.shape[-1:])}, the last axis of x"
            )
    zero = zero_point.astype(x.dtype)
    return (np.clip(np.round(x / scale) + zero, *_range(bits, signed)) - zero) * scale


@fake_quantize.defvjp
def fake_quantize_vjp(dy: Any, y: Any, x: Any, scale: Any, zero_point: Any, *, bits: int, signed: bool) -> Any:
    """dy where the rounded number fits."""
    low, high = _range(bits, signed)
    q = np.round(x / scale) + zero_point.astype(x.dtype)
    return dy * ((low <= q) & (q <= high))


def _range(bits: int, signed: bool) -> tuple[int, int]:
    """Return the least and the largest integer."""
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
