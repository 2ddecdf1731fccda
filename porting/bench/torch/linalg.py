"""Compositions and built-ins of the family linalg for the benchmark, in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch


def _matrix_sqrt(a: Any) -> Any:
    w, v = torch.linalg.eigh((a + a.mT) / 2)
    return (v * w.sqrt().unsqueeze(-2)) @ v.mT


def _matrix_inverse_sqrt(a: Any) -> Any:
    w, v = torch.linalg.eigh((a + a.mT) / 2)
    return (v * w.rsqrt().unsqueeze(-2)) @ v.mT


def _safe_eigh(a: Any, **_: float) -> Any:
    w, v = torch.linalg.eigh((a + a.mT) / 2)
    size = v.abs()
    first = (size > 0.55 * size.amax(-2, keepdim=True)).to(torch.int8).argmax(-2, keepdim=True)
    return w, v * v.gather(-2, first).sign()


COMPOSITION: dict[str, Callable[..., Any]] = {
    "matrix_inverse_sqrt": _matrix_inverse_sqrt,
    "matrix_sqrt": _matrix_sqrt,
    "safe_eigh": _safe_eigh,
    "solve": lambda a, b: torch.linalg.inv(a) @ b,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "logdet": lambda a: torch.linalg.slogdet(a).logabsdet,
    "solve": torch.linalg.solve,
}
