"""Frozen numbers that each side draws for itself, a fixed feedback matrix, say: all sides get those of the first."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from porting.backends.axes import NEW
from porting.backends.tf.module import TensorFlowModule
from porting.backends.torch.module import TorchModule
from porting.errors import PairError
from porting.pairs.weights import Axes, Listed, Parameter, laid_out, matched

Array = np.ndarray[Any, Any]
Module: TypeAlias = TorchModule | TensorFlowModule


class Shared(NamedTuple):
    """What became of frozen numbers: what is told, and those that are drawn and that no other side was given."""

    told: list[str]
    apart: dict[str, list[str]]


def one_state(modules: Mapping[str, Module], said: Mapping[str, str]) -> Shared:
    """Give all modules the frozen numbers of the first one, where it is clear which is which.

    What is the same number throughout was drawn by nobody: a moving mean of 0 stays what it is.

    Parameters
    ----------
    modules : mapping of str to TorchModule or TensorFlowModule
        By side; those after the first are changed in place.
    said : mapping of str to str
        The name in TensorFlow by the name in PyTorch, of those that were given by hand.
    """
    if len(modules) < 2:
        return Shared([], {})
    (first, base), *others = modules.items()
    mine = _frozen(base)
    told, apart = [], dict[str, list[str]]()
    for key, module in others:
        theirs = _frozen(module)
        pairs = _pairs(first, mine, key, theirs, said)
        if len(pairs) < max(len(mine), len(theirs)):  # tables that nobody draws may be what hides it
            drawn = _drawn(base, mine), _drawn(module, theirs)
            pairs = pairs or _pairs(first, drawn[0], key, drawn[1], said)
            given = {o for o, _ in pairs.values()}
            left = {first: [n for n in drawn[0] if n not in pairs], key: [n for n in drawn[1] if n not in given]}
            apart |= {k: [*apart.get(k, []), *names] for k, names in left.items() if names}
        layouts = _layouts(first, base, key, module)
        for name, (other, order) in pairs.items():
            axes = layouts.get((mine[name].shape, theirs[other].shape)) if order is None else order
            numbers = mine[name] if axes is None else np.transpose(mine[name], axes)
            if not np.array_equal(numbers, theirs[other]):
                module.give(other, numbers)
                told.append(f"{key}: {other} is frozen, and has the numbers of {laid_out(f'{first}:{name}', axes)}")
    return Shared(told, apart)


@contextmanager
def redrawn(module: Module, names: Collection[str]) -> Iterator[None]:
    """Have other numbers in the place of frozen ones while this is open."""
    before, others = module.held_state(), module.redrawn()
    for name in names:
        module.give(name, others[name])
    try:
        yield
    finally:
        for name in names:
            module.give(name, before[name])


def of_parameters(said: Mapping[str, str], modules: Mapping[str, Module]) -> dict[str, str]:
    """Return what is said of parameters: which is which; what is frozen on both sides was given the same numbers."""
    frozen = [{n for names in module.state.values() for n in names} for module in modules.values()]
    return {n: o for n, o in said.items() if len(frozen) < 2 or not (n in frozen[0] and o in frozen[1])}


def _frozen(module: Module) -> dict[str, Array]:
    """Return the frozen arrays of real numbers that are not one number throughout."""
    held = module.held_state().items()
    return {name: x for name, x in held if x.dtype.kind == "f" and x.size > 1 and (x != x.flat[0]).any()}


def _drawn(module: Module, held: Mapping[str, Array]) -> dict[str, Array]:
    """Return those of the frozen arrays that another module, made likewise, has with other numbers."""
    others = module.redrawn() if held else {}
    return {n: x for n, x in held.items() if n in others and not np.array_equal(x, others[n], equal_nan=True)}


def _listed(key: str, shapes: Mapping[str, tuple[int, ...]]) -> Listed:
    return Listed(key, key, tuple(Parameter(n, shape) for n, shape in shapes.items()))


def _layouts(first: str, base: Module, key: str, module: Module) -> dict[tuple[tuple[int, ...], ...], Axes]:
    """Return the orders of axes of a side's parameters, by both shapes: frozen arrays of these have them too."""
    sides = _listed(first, base.parameters), _listed(key, module.parameters)
    try:
        found = matched(*sides, {})
    except PairError:
        return {}
    orders = zip(base.parameters.values(), found, strict=True)
    return {(shape, p.shape): axes for shape, (p, axes) in orders if p.shape is not None and not _is_reshaped(axes)}


def _is_reshaped(axes: Axes) -> bool:
    return axes is not None and (NEW in axes or sorted(axes) != [*range(len(axes))])


def _pairs(
    first: str, mine: Mapping[str, Array], key: str, theirs: Mapping[str, Array], said: Mapping[str, str]
) -> dict[str, tuple[str, Axes]]:
    """Return which array of one side is which of the other, in which order of axes; nothing where that is not clear."""
    base, other = (_listed(k, {n: x.shape for n, x in of.items()}) for k, of in ((first, mine), (key, theirs)))
    by_hand = {n: o for n, o in said.items() if n in mine and o in theirs}
    try:
        found = matched(base, other, by_hand)
    except PairError:
        if not by_hand or (by_hand.keys() == mine.keys() and {*by_hand.values()} == theirs.keys()):
            return {}
        said_of = {n: mine[n] for n in by_hand}, {o: theirs[o] for o in by_hand.values()}
        return _pairs(first, said_of[0], key, said_of[1], said)
    known = {n: (p.name, axes) for n, (p, axes) in zip(mine, found, strict=True)}
    return {n: (o, axes) for n, (o, axes) in known.items() if not _is_reshaped(axes)}
