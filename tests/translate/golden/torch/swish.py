import torch
import torch.nn.functional as F


def _swish_backward(grad, x):
    """The derivative, computed again from the input."""
    sig = torch.sigmoid(x)
    return grad * (sig * (1 + x * (1 - sig)))


class SwishFunction(torch.autograd.Function):
    """Keeps its input alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return F.silu(x)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0]
        return _swish_backward(grad, x)


def swish(x):
    """x sigmoid(x)."""
    return SwishFunction.apply(x)
