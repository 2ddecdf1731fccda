"""Other ways to write the family `normalize` in PyTorch."""

from collections.abc import Callable
from typing import Any

from torch import Tensor
from torch.nn import functional


def layer_norm(x: Tensor, gain: Tensor, bias: Tensor, *, eps: float) -> Tensor:
    """Operation by operation."""
    c = x - x.mean(-1, keepdim=True)
    return gain * c * (c.square().mean(-1, keepdim=True) + eps).rsqrt() + bias


def rms_norm(x: Tensor, gain: Tensor, *, eps: float) -> Tensor:
    """Operation by operation."""
    return gain * x * (x.square().mean(-1, keepdim=True) + eps).rsqrt()


COMPOSITION: dict[str, Callable[..., Any]] = {"layer_norm": layer_norm, "rms_norm": rms_norm}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "layer_norm": lambda x, gain, bias, *, eps: functional.layer_norm(x, gain.shape, gain, bias, eps),
    "rms_norm": lambda x, gain, *, eps: functional.rms_norm(x, gain.shape, gain, eps),
}
