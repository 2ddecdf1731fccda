"""Other ways to write the family `straight_through` in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def _replaced(soft: Tensor, hard: Tensor) -> Tensor:
    """Return `hard` with the gradient of `soft`, up to rounding."""
    return soft + (hard - soft).detach()


def _dorefa_quantize(x: Tensor, *, bits: int) -> Tensor:
    n, inside = 2**bits - 1, x.clamp(0, 1)
    return _replaced(inside, torch.round(n * inside) / n)


def _ste_sign(x: Tensor, *, clip: float = 1.0) -> Tensor:
    return _replaced(x.clamp(-clip, clip), torch.where(x >= 0, 1.0, -1.0).to(x.dtype))


def _ste_ternary(x: Tensor, *, threshold: float) -> Tensor:
    return _replaced(x.clamp(-1, 1), torch.where(x.abs() > threshold, x.sign(), 0.0))


def _range(bits: int, signed: bool) -> tuple[int, int]:
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def _fake_quantize(x: Tensor, scale: Tensor, zero_point: Tensor, *, bits: int, signed: bool) -> Tensor:
    q = _replaced(x / scale, (x / scale).round()) + zero_point
    return (q.clamp(*_range(bits, signed)) - zero_point) * scale


def _gumbel_softmax(logits: Tensor, noise: Tensor, *, temperature: float, axis: int = -1) -> Tensor:
    soft = ((logits + noise) / temperature).softmax(axis)
    return _replaced(soft, torch.zeros_like(soft).scatter(axis, soft.argmax(axis, keepdim=True), 1))


def _lsq_quantize(x: Tensor, step: Tensor, *, bits: int, signed: bool) -> Tensor:
    low, high = _range(bits, signed)
    g = (x.numel() * high) ** -0.5
    scaled = _replaced(step * g, step)
    r = (x / scaled).clamp(low, high)
    return _replaced(r, r.round()) * scaled


def _top_k_mask(x: Tensor, *, k: int, axis: int = -1) -> Tensor:
    kept = x.abs().topk(k, axis).indices
    return _replaced(x, torch.zeros_like(x).scatter(axis, kept, x.gather(axis, kept)))


def _vector_quantize(x: Tensor, codebook: Tensor) -> Tensor:
    rows = x.reshape(-1, x.shape[-1])
    distance = rows.square().sum(-1, keepdim=True) - 2 * rows @ codebook.mT + codebook.square().sum(-1)
    return _replaced(x, codebook[distance.argmin(-1)].reshape(x.shape))


COMPOSITION: dict[str, Callable[..., Any]] = {
    "dorefa_quantize": _dorefa_quantize,
    "fake_quantize": _fake_quantize,
    "gumbel_softmax": _gumbel_softmax,
    "lsq_quantize": _lsq_quantize,
    "ste_ceil": lambda x: _replaced(x, x.ceil()),
    "ste_clamp": lambda x, *, low, high: _replaced(x, x.clamp(low, high)),
    "ste_floor": lambda x: _replaced(x, x.floor()),
    "ste_heaviside": lambda x, *, clip=1.0: _replaced(x.clamp(-clip, clip), (x > 0).to(x.dtype)),
    "ste_round": lambda x: _replaced(x, x.round()),
    "ste_sign": _ste_sign,
    "ste_ternary": _ste_ternary,
    "top_k_mask": _top_k_mask,
    "vector_quantize": _vector_quantize,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
