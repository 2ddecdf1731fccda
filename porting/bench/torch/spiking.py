"""Other ways to write the family `spiking` in PyTorch."""

from collections.abc import Callable
from math import pi
from typing import Any

import torch
from torch import Tensor


def _spike(x: Tensor, soft: Tensor) -> Tensor:
    """[x > 0] with the gradient of `soft`."""
    return soft + ((x > 0).to(x.dtype) - soft).detach()


def _fast_sigmoid_spike(x: Tensor, *, slope: float = 25.0) -> Tensor:
    return _spike(x, x / (1 + slope * x.abs()))


def _triangular_spike(x: Tensor, *, width: float = 1.0, dampening: float = 0.3) -> Tensor:
    t = (x / width).clamp(-1, 1)
    return _spike(x, dampening * (t - t * t.abs() / 2))


def _lif_step(x: Tensor, v: Tensor, *, decay: float, threshold: float, slope: float) -> tuple[Tensor, Tensor]:
    u = decay * v + x
    s = _fast_sigmoid_spike(u - threshold, slope=slope)
    return s, u - threshold * s.detach()


COMPOSITION: dict[str, Callable[..., Any]] = {
    "atan_spike": lambda x, *, alpha=2.0: _spike(x, torch.atan(pi / 2 * alpha * x) / pi),
    "fast_sigmoid_spike": _fast_sigmoid_spike,
    "lif_step": _lif_step,
    "sigmoid_spike": lambda x, *, slope=25.0: _spike(x, torch.sigmoid(slope * x)),
    "triangular_spike": _triangular_spike,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
