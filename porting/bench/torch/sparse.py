"""Other ways to write the family `sparse` in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def _counted(x: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Return x in descending order and the numbers 1, 2, 3, ... beside it."""
    ordered = x.sort(axis, descending=True).values
    return ordered, torch.ones_like(x).cumsum(axis)


def _sparsemax(x: Tensor, *, axis: int = -1) -> Tensor:
    ordered, k = _counted(x, axis)
    sums = ordered.cumsum(axis)
    size = (1 + k * ordered > sums).sum(axis, keepdim=True)
    return (x - (sums.gather(axis, size - 1) - 1) / size).clamp(min=0)


def _entmax15(x: Tensor, *, axis: int = -1) -> Tensor:
    half = x / 2
    half = half - half.amax(axis, keepdim=True)
    ordered, k = _counted(half, axis)
    mean = ordered.cumsum(axis) / k
    variance = (ordered**2).cumsum(axis) / k - mean**2
    tau = mean - (1 / k - variance).clamp(min=0).sqrt()
    size = (tau <= ordered).sum(axis, keepdim=True)
    return (half - tau.gather(axis, size - 1)).clamp(min=0) ** 2


def _masked_softmax(x: Tensor, mask: Tensor, *, axis: int = -1) -> Tensor:
    hidden = mask == 0
    return x.masked_fill(hidden, -torch.inf).softmax(axis).masked_fill(hidden, 0)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "entmax15": _entmax15,
    "masked_softmax": _masked_softmax,
    "sparsemax": _sparsemax,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
