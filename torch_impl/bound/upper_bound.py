"""Minimum of x and a bound; what lies above the bound gets a gradient where that moves it back."""

import torch
from torch import Tensor


class UpperBoundFunction(torch.autograd.Function):
    """``UpperBoundFunction.apply(x, bound, gradient)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, bound: Tensor, gradient: str) -> Tensor:
        return torch.minimum(x, bound)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, bound, ctx.gradient = inputs
        if ctx.gradient != "identity":
            ctx.save_for_backward(x, bound)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None]:  # None: gradient is static
        if ctx.gradient == "identity":
            return dy, torch.zeros_like(dy), None
        x, bound = ctx.saved_tensors
        beyond = torch.sign(torch.relu(x - bound))  # [x > bound], without a branch
        held = beyond * (dy if ctx.gradient == "disconnected" else torch.clamp(dy, max=0))
        return dy - held, held, None


def upper_bound(x: Tensor, bound: Tensor, *, gradient: str = "identity_if_towards") -> Tensor:
    """min(x, bound), both of one shape; what lies above the bound gets dy where -dy moves it back."""
    if gradient not in ("identity_if_towards", "identity", "disconnected"):
        raise ValueError(f"gradient={gradient!r}: wanted one of identity_if_towards, identity, disconnected")
    if bound.shape != x.shape:
        raise ValueError(f"bound of shape {list(bound.shape)}: wanted {list(x.shape)}, the shape of x")
    return UpperBoundFunction.apply(x, bound, gradient)
