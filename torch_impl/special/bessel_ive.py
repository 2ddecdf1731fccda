"""Modified Bessel function of the first kind and of order 0, 1 or 2, times e^-|x|."""

from math import factorial

import torch
from torch import Tensor

TURN = 4.0  # below, the recurrence cancels; above, the power series is long
TERMS = 17


class BesselIveFunction(torch.autograd.Function):
    """``BesselIveFunction.apply(x, order)`` of any small order: each derivative needs one more."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, order: int) -> Tensor:
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        if order < 2:
            return (torch.special.i1e if order else torch.special.i0e)(wide).to(x.dtype)
        near = wide.abs() < TURN
        return torch.where(near, _series(wide.clamp(-TURN, TURN), order), _recurrence(wide, order)).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.order = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: order is static
        (x,), n = ctx.saved_tensors, ctx.order
        beside = BesselIveFunction.apply(x, n + 1)
        if n:
            beside = 0.5 * (BesselIveFunction.apply(x, n - 1) + beside)
        return dy * (beside - x.sign() * BesselIveFunction.apply(x, n)), None


def _series(x: Tensor, order: int) -> Tensor:
    """Sum of positive terms, for |x| up to TURN."""
    half = 0.5 * x
    square, total = half * half, torch.zeros_like(x)
    for k in reversed(range(TERMS)):
        total = total * square + 1 / (factorial(k) * factorial(k + order))
    return half.pow(order) * total * torch.exp(-x.abs())


def _recurrence(x: Tensor, order: int) -> Tensor:
    """From order 0 and 1 upwards, for |x| from TURN."""
    x = torch.where(x.abs() < TURN, TURN, x)
    lower, upper = torch.special.i0e(x), torch.special.i1e(x)
    for k in range(1, order):
        lower, upper = upper, lower - (2 * k / x) * upper
    return upper


def bessel_ive(x: Tensor, *, order: int) -> Tensor:
    """I_n(x) e^-|x| of any shape, for n = 0, 1, 2."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if order not in (0, 1, 2):
        raise ValueError(f"order={order!r}: wanted 0, 1 or 2")
    return BesselIveFunction.apply(x, order)
