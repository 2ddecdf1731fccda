"""Logistic function times a reciprocal square root, as printed."""

from torch import Tensor
from torch.autograd import Function


class MyActivation(Function):
    """As printed: the old form, with ``ctx`` in the forward."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.sigmoid() * (1 + x.exp()).rsqrt()

    @staticmethod
    def backward(ctx, dy: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return dy * (1 - x.sigmoid() ** 2) * 0.5 * (x.exp() + 1) ** (-1.5) * (1 + 3 * x.exp())


def my_activation(x: Tensor) -> Tensor:
    """sigmoid(x) / sqrt(1 + e^x) of any shape; the gradient is not its derivative."""
    return MyActivation.apply(x)
