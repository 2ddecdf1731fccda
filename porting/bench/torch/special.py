"""Compositions and built-ins of the family special for the benchmark, in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch


def _bessel_ive(x: Any, *, order: int) -> Any:
    zero, one = torch.special.i0e(x), torch.special.i1e(x)
    return (zero, one, zero - 2 / x * one)[order]


def _built_in(x: Any, *, order: int) -> Any:
    return (torch.special.i0e, torch.special.i1e)[order](x)


COMPOSITION: dict[str, Callable[..., Any]] = {"bessel_ive": _bessel_ive}
BUILT_IN: dict[str, Callable[..., Any]] = {"bessel_ive": _built_in}
