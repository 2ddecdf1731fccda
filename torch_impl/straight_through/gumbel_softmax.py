"""A one-hot sample of a categorical distribution, whose gradient is that of the softmax."""

import torch
from torch import Tensor


class GumbelSoftmaxFunction(torch.autograd.Function):
    """``GumbelSoftmaxFunction.apply(logits, noise, temperature, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(logits: Tensor, noise: Tensor, temperature: float, axis: int) -> Tensor:
        half = _half_sum(logits, noise)
        return torch.zeros_like(half).scatter(axis, half.argmax(axis, keepdim=True), 1).to(logits.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        logits, noise, ctx.temperature, ctx.axis = inputs
        ctx.save_for_backward(logits, noise)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None, None]:  # None: temperature and axis are static
        half = _half_sum(*ctx.saved_tensors)
        scaled = (half - half.detach().amax(ctx.axis, keepdim=True)) * (2 / ctx.temperature)
        s = scaled.softmax(ctx.axis)
        wide = dy.to(s.dtype)
        dz = (s * (wide - (wide * s).sum(ctx.axis, keepdim=True)) / ctx.temperature).to(dy.dtype)
        return dz, dz, None, None


def _half_sum(logits: Tensor, noise: Tensor) -> Tensor:
    """Return (logits + noise) / 2: the sum may be twice the largest number."""
    if logits.dtype.itemsize == 2:
        logits, noise = logits.float(), noise.float()
    return logits / 2 + noise / 2


def gumbel_softmax(logits: Tensor, noise: Tensor, *, temperature: float, axis: int = -1) -> Tensor:
    """One-hot at the largest of logits + noise, the first of equal ones; the gradient is that of the softmax."""
    if not temperature > 0:
        raise ValueError(f"temperature={temperature}: wanted temperature > 0")
    if not -logits.dim() <= axis < logits.dim():
        raise ValueError(f"axis={axis}: wanted {-logits.dim()} <= axis < {logits.dim()}, an axis of logits")
    if noise.shape != logits.shape:
        raise ValueError(f"noise of shape {list(noise.shape)}: wanted {list(logits.shape)}, that of logits")
    return GumbelSoftmaxFunction.apply(logits, noise, temperature, axis)
