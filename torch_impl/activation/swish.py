"""Swish, which is SiLU where beta is 1; keeps its input alone."""

import torch
from torch import Tensor
from torch.nn.functional import silu


class SwishFunction(torch.autograd.Function):
    """``SwishFunction.apply(x, beta)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, beta: float) -> Tensor:
        return silu(x) if beta == 1 else x * torch.sigmoid(beta * x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, ctx.beta = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: beta is static
        (x,) = ctx.saved_tensors
        if ctx.beta == 1 and not torch.is_grad_enabled():  # with create_graph=True it is: the kernel has no derivative
            return torch.ops.aten.silu_backward(dy, x), None
        z = (ctx.beta * x).clamp(-1000, 1000)  # further out s (1 - s) is 0, and z may be infinite
        s = torch.sigmoid(z)
        return dy * (s + torch.ops.aten.sigmoid_backward(z, s)), None  # z s (1 - s)


def swish(x: Tensor, *, beta: float = 1.0) -> Tensor:
    """x sigmoid(beta x) of any shape."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    return SwishFunction.apply(x, beta)
