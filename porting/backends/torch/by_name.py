"""An op of PyTorch as a text by which another process finds it, and as the function that it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from porting.backends.torch.arrays import to_numpy
from porting.runners.base import as_outputs
from porting.runners.by_name import found_by, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.backends.torch.in_mode import Asked, Gradients, Tensors


def by_name(asked: Asked) -> str:
    """Return the text, see `porting.runners.by_name.text_of`."""
    twin, stage = asked.twin, asked.stage

    def bits() -> list[bytes | None]:
        outputs = asked(*asked.x)
        return _bits(outputs, asked.pulled(outputs))

    def same(text: str) -> bool:
        want = bits()
        asked.twin, _ = found_by("torch", text)
        return bits() == want

    try:
        return text_of(twin, asked.case, same)
    finally:
        asked.twin, asked.stage = twin, stage


def named(text: str) -> Callable[..., Tensors]:
    """Return the op as a function of its inputs."""
    twin, statics = found_by("torch", text)
    return lambda *xs: as_outputs(twin(*xs, **statics), torch.is_tensor, "a tensor")


def _bits(outputs: Tensors, dx: Gradients) -> list[bytes | None]:
    found: tuple[Any, ...] = (*outputs, *dx)
    return [None if t is None else to_numpy(t).tobytes() for t in found]
