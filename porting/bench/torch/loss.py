"""Other ways to write the family `loss` in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from porting.bench.torch.sparse import COMPOSITION as SPARSE


def _squared_error_floor_gradient(
    prediction: Tensor, target: Tensor, *, threshold: float = 0.1, floor: float = 1.0
) -> Tensor:
    d = prediction - target
    square = d**2
    surrogate = torch.where(d.abs() < threshold, floor * d.abs(), square)
    return surrogate + (square - surrogate).detach()


def _at(x: Tensor, labels: Tensor) -> Tensor:
    return x.gather(-1, labels.unsqueeze(-1)).squeeze(-1)


def _sparsemax_loss(x: Tensor, labels: Tensor) -> Tensor:
    p: Tensor = SPARSE["sparsemax"](x)
    return (p * x).sum(-1) - _at(x, labels) + (1 - (p * p).sum(-1)) / 2


def _entmax15_loss(x: Tensor, labels: Tensor) -> Tensor:
    p: Tensor = SPARSE["entmax15"](x)
    return (p * x).sum(-1) - _at(x, labels) + (1 - (p**1.5).sum(-1)) * 4 / 3


def _smoothed_cross_entropy(x: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    log_p = x.log_softmax(-1)
    return -(1 - smoothing) * _at(log_p, labels) - smoothing * log_p.mean(-1)


def _focal_loss(x: Tensor, labels: Tensor, *, gamma: float, alpha: float) -> Tensor:
    log_p = _at(x.log_softmax(-1), labels)
    return -alpha * (1 - log_p.exp()) ** gamma * log_p


def _soft_dtw(distance: Tensor, *, gamma: float) -> Tensor:
    n, m = distance.shape[-2:]
    none = torch.full_like(distance[..., 0, 0], torch.inf)
    above = [none] * (m + 1)
    for i in range(n):
        row = [none]
        for j in range(m):
            before = torch.stack([above[j], above[j + 1], row[j]])
            soft = 0 if i == j == 0 else -gamma * (-before / gamma).logsumexp(0)
            row.append(distance[..., i, j] + soft)
        above = row
    return above[-1]


COMPOSITION: dict[str, Callable[..., Any]] = {
    "entmax15_loss": _entmax15_loss,
    "focal_loss": _focal_loss,
    "smoothed_cross_entropy": _smoothed_cross_entropy,
    "soft_dtw": _soft_dtw,
    "sparsemax_loss": _sparsemax_loss,
    "squared_error_floor_gradient": _squared_error_floor_gradient,
}


def _cross_entropy(x: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    flat = cross_entropy(x.flatten(0, -2), labels.flatten(), reduction="none", label_smoothing=smoothing)
    return flat.view(labels.shape)


BUILT_IN: dict[str, Callable[..., Any]] = {"smoothed_cross_entropy": _cross_entropy}
