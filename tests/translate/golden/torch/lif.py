import torch
from torch import Tensor


class LIF(torch.autograd.Function):
    """A spike, and what is left of the potential."""

    @staticmethod
    def forward(ctx, current: Tensor, v: Tensor, decay: float, threshold: float):
        u = decay * v + current
        spike = (u > threshold).to(u.dtype)
        ctx.save_for_backward(u)
        ctx.decay, ctx.threshold = decay, threshold
        return spike, u - threshold * spike

    @staticmethod
    def backward(ctx, d_spike, d_v):
        (u,) = ctx.saved_tensors
        surrogate = 1 / (1 + (u - ctx.threshold).abs()) ** 2
        d_u = d_spike * surrogate + d_v
        return d_u, ctx.decay * d_u, None, None


def lif(current: Tensor, v: Tensor, *, decay: float = 0.9, threshold: float = 1.0) -> tuple[Tensor, Tensor]:
    """One step of a leaky neuron."""
    if not 0 <= decay <= 1:
        raise ValueError(f"decay={decay}: wanted a number between 0 and 1")
    return LIF.apply(current, v, decay, threshold)
