"""Other ways to write the family `structure` in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint


def reversible_block(x1: Tensor, x2: Tensor, w1: Tensor, w2: Tensor) -> tuple[Tensor, Tensor]:
    """Operation by operation."""
    y1 = x1 + torch.tanh(x2 @ w1)
    return y1, x2 + torch.tanh(y1 @ w2)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "recompute": lambda x, *, fn: fn(x),
    "reversible_block": reversible_block,
}
BUILT_IN: dict[str, Callable[..., Any]] = {"recompute": lambda x, *, fn: checkpoint(fn, x, use_reentrant=False)}
