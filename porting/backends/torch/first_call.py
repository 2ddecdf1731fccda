"""Modules whose first call sets parameters from its data, as quantisers do with their step: taken as they are then."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.backends.torch.plain_tensors import numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porting.runners.base import Array


def after_first_call(
    module: Any, examples: Sequence[Sequence[Any]], statics: Mapping[str, Any]
) -> tuple[Any, tuple[str, ...]]:
    """Return a module as its first call leaves it, and the parameters that this call sets and a second one leaves.

    If there are none, that is the module itself. Otherwise it is a copy: what was given stays as it is.

    Parameters
    ----------
    module : torch.nn.Module
        The module.
    examples : sequence of sequence of numpy.ndarray
        The inputs of a first call and of a second one.
    statics : mapping
        The other arguments of these calls.
    """
    import torch

    held = _trained(module)
    if not held:
        return module, ()
    dtype = next(iter(held.values())).dtype
    with suppress(Exception), torch.random.fork_rng(devices=[]), torch.no_grad():  # what it raises is told elsewhere
        copied = deepcopy(module)
        before = _numbers(copied)
        copied(*_tensors(examples[0], dtype), **statics)
        after = _numbers(copied)
        found = tuple(n for n in before if n in after and not np.array_equal(before[n], after[n], equal_nan=True))
        if found:
            settled = deepcopy(copied)
            copied(*_tensors(examples[1], dtype), **statics)
            if all(np.array_equal(after[n], now, equal_nan=True) for n, now in _numbers(copied).items()):
                return settled, found
    return module, ()


def _trained(module: Any) -> dict[str, Any]:
    named = module.named_parameters()
    return {name: p for name, p in named if p.requires_grad and p.is_floating_point()}


def _numbers(module: Any) -> dict[str, Array]:
    return {name: numbers(p).copy() for name, p in _trained(module).items()}


def _tensors(examples: Sequence[Any], dtype: Any) -> list[Any]:
    import torch
    from torch.utils._pytree import tree_map

    found: list[Any] = tree_map(lambda x: torch.from_numpy(x).to(dtype if x.dtype.kind == "f" else None), [*examples])
    return found
