"""Frozen numbers that each side draws for itself, a fixed feedback matrix, say: all sides get those of the first."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from porting.backends.axes import NEW
from porting.backends.tf.module import TensorFlowModule
from porting.backends.torch.module import TorchModule
from porting.errors import PairError
from porting.pairs.weights import Listed, Parameter, laid_out, matched

Array = np.ndarray[Any, Any]
Module: TypeAlias = TorchModule | TensorFlowModule


def one_state(modules: Mapping[str, Module]) -> list[str]:
    """Give all modules the frozen numbers of the first one, where it is clear which is which; return what is told.

    What is the same number throughout was drawn by nobody: a moving mean of 0 stays what it is.

    Parameters
    ----------
    modules : mapping of str to TorchModule or TensorFlowModule
        By side; those after the first are changed in place.
    """
    if len(modules) < 2:
        return []
    (first, base), *others = modules.items()
    mine = _drawn(base)
    told = []
    for key, module in others:
        theirs = _drawn(module)
        for name, (other, axes) in _pairs(first, mine, key, theirs).items():
            numbers = mine[name] if axes is None else np.transpose(mine[name], axes)
            if not np.array_equal(numbers, theirs[other]):
                module.give(other, numbers)
                told.append(f"{key}: {other} is frozen, and has the numbers of {laid_out(f'{first}:{name}', axes)}")
    return told


def _drawn(module: Module) -> dict[str, Array]:
    """Return the frozen arrays of real numbers that are not one number throughout."""
    held = module.held_state().items()
    return {name: x for name, x in held if x.dtype.kind == "f" and x.size > 1 and (x != x.flat[0]).any()}


def _pairs(
    first: str, mine: Mapping[str, Array], key: str, theirs: Mapping[str, Array]
) -> dict[str, tuple[str, tuple[int, ...] | None]]:
    """Return which array of one side is which of the other, in which order of axes; nothing where that is not clear."""
    base, other = (
        Listed(k, k, tuple(Parameter(n, x.shape) for n, x in of.items())) for k, of in ((first, mine), (key, theirs))
    )
    try:
        found = matched(base, other, {})
    except PairError:
        return {}
    known = {n: (p.name, axes) for n, (p, axes) in zip(mine, found, strict=True)}
    return {
        n: (o, axes)
        for n, (o, axes) in known.items()
        if axes is None or (NEW not in axes and len(axes) == mine[n].ndim)
    }
