"""Compositions and built-ins of the family stable for the benchmark, in PyTorch."""

from collections.abc import Callable
from math import log
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional


def _log_cosh(x: Any) -> Any:
    return x + functional.softplus(-2 * x) - log(2)  # no digits near 0


def _safe_divide(x1: Any, x2: Any) -> Any:
    return torch.where(x2 == 0, 0, x1 / torch.where(x2 == 0, 1, x2))


def _log1p_exp(x: Any) -> Any:
    return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))


def _logaddexp(x1: Any, x2: Any) -> Any:
    return torch.maximum(x1, x2) + torch.log1p(torch.exp(-(x1 - x2).abs()))


def _logsumexp(x: Any, *, axis: int) -> Any:
    m = x.detach().amax(axis, keepdim=True)
    return torch.log(torch.exp(x - m).sum(axis)) + m.squeeze(axis)


def _safe_log(x: Tensor, *, eps: float) -> Tensor:
    c = x.detach().clamp(min=eps)
    return c.log() + (x - x.detach()) / c


def _safe_sqrt(x: Tensor, *, eps: float) -> Tensor:
    v = x.detach()
    return v.clamp(min=0).sqrt() + (x - v) / (2 * v.clamp(min=eps).sqrt())


COMPOSITION: dict[str, Callable[..., Any]] = {
    "artanh": lambda x: 0.5 * (torch.log1p(x) - torch.log1p(-x)),
    "log1p_exp": _log1p_exp,
    "log_cosh": _log_cosh,
    "logaddexp": _logaddexp,
    "logsumexp": _logsumexp,
    "safe_divide": _safe_divide,
    "safe_log": _safe_log,
    "safe_norm": lambda x, *, axis: torch.sqrt((x * x).sum(axis)),
    "safe_sqrt": _safe_sqrt,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "artanh": torch.atanh,
    "log1p_exp": functional.softplus,
    "logaddexp": torch.logaddexp,
    "logsumexp": lambda x, *, axis: torch.logsumexp(x, axis),
    "safe_norm": lambda x, *, axis: torch.linalg.vector_norm(x, dim=axis),
}
