"""Swish-gated linear unit of two inputs; keeps both."""

import torch
from torch import Tensor
from torch.nn.functional import silu


class SwigluFunction(torch.autograd.Function):
    """``SwigluFunction.apply(x1, x2)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x1: Tensor, x2: Tensor) -> Tensor:
        return silu(x1) * x2

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor]:
        x1, x2 = ctx.saved_tensors
        if not torch.is_grad_enabled():  # with create_graph=True it is: the kernel has no derivative
            return torch.ops.aten.silu_backward(dy, x1).mul_(x2), dy * silu(x1)
        z = x1.clamp(-1000, 1000)  # further out s (1 - s) is 0
        s = torch.sigmoid(z)
        return dy * (s + torch.ops.aten.sigmoid_backward(z, s)) * x2, dy * (x1 * s)  # z s (1 - s)


def swiglu(x1: Tensor, x2: Tensor) -> Tensor:
    """x1 sigmoid(x1) x2, both of one shape."""
    if not (x1.is_floating_point() or x1.is_complex()):
        raise TypeError(f"x1: floating numbers are wanted, got {str(x1.dtype).removeprefix('torch.')}")
    if x1.shape != x2.shape:
        raise ValueError(f"x1 {list(x1.shape)}, x2 {list(x2.shape)}: wanted one shape")
    return SwigluFunction.apply(x1, x2)
