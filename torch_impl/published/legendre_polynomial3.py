"""Legendre polynomial of degree three, as printed."""

from torch import Tensor
from torch.autograd import Function


class LegendrePolynomial3(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return 0.5 * (5 * x**3 - 3 * x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return dy * 1.5 * (5 * x**2 - 1)


def legendre_polynomial3(x: Tensor) -> Tensor:
    """P3(x) = (5 x^3 - 3 x) / 2 of any shape."""
    return LegendrePolynomial3.apply(x)
