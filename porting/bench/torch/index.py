"""Compositions and built-ins of the family index for the benchmark, in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def segment_means(x: Tensor, indices: Tensor, *, size: int) -> Tensor:
    """Divide sums by counts."""
    sums = x.new_zeros(size, *x.shape[1:]).index_add(0, indices, x)
    counts = torch.bincount(indices, minlength=size).clamp(min=1)
    return sums / counts.reshape(-1, *[1] * (x.dim() - 1))


def scatter_reduce(x: Tensor, indices: Tensor, *, size: int) -> Tensor:
    """Spread the indices over the shape of x, as the built-in wants them."""
    spread = indices.reshape(-1, *[1] * (x.dim() - 1)).expand_as(x)
    return x.new_zeros(size, *x.shape[1:]).scatter_reduce(0, spread, x, "mean", include_self=False)


def masked_look_up(table: Tensor, indices: Tensor, *, padding: int) -> Tensor:
    """Look up in a table whose padding row is detached."""
    constant = torch.arange(len(table), device=table.device)[:, None] == padding
    return torch.where(constant, table.detach(), table)[indices]


COMPOSITION: dict[str, Callable[..., Any]] = {
    "embedding_padding": masked_look_up,
    "gather_rows": lambda x, indices: x[indices],
    "scatter_mean": segment_means,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "embedding_padding": lambda table, indices, *, padding: torch.nn.functional.embedding(
        indices, table, padding_idx=padding
    ),
    "gather_rows": lambda x, indices: torch.nn.functional.embedding(indices, x),
    "scatter_mean": scatter_reduce,
}
