"""Gives the weights of a Keras layer names that are the same in each copy of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What Keras calls a weight without a name. It counts them in the whole process, so a copy has others.
_AUTOMATIC = re.compile(r"variable(_\d+)?")


def named(layer: Any, variables: Sequence[Any]) -> dict[str, Any]:
    """Return some weights of a layer by their names; a weight without a name by the attribute that holds it.

    If several weights have the same name, they get the path of attributes that leads to them: ``first.kernel``.
    """
    places = {id(variable): (path, attribute) for path, attribute, variable in _walked(layer, (), set())}
    short, long = [], []
    for variable in variables:
        given = variable.name.partition(":")[0].rpartition("/")[2]
        path, attribute = places.get(id(variable), ((), ""))
        short.append((attribute or "variable") if _AUTOMATIC.fullmatch(given) else given)
        long.append(".".join((*path, short[-1])))
    for names in (short, long):
        if len(set(names)) == len(names):
            return dict(zip(names, variables, strict=True))
    return {f"{name}_{k}": v for k, (name, v) in enumerate(zip(short, variables, strict=True))}


def _walked(layer: Any, path: tuple[str, ...], seen: set[int]) -> Iterator[tuple[tuple[str, ...], str, Any]]:
    """Yield each weight of a layer and of those inside, with the attributes that lead there."""
    seen.add(id(layer))
    held = dict(_held(layer))
    own = (*getattr(layer, "_trainable_variables", ()), *getattr(layer, "_non_trainable_variables", ()))
    for variable in own:
        yield path, held.get(id(variable), ""), variable
    for k, inner in enumerate(getattr(layer, "_layers", ())):
        if id(inner) not in seen:
            yield from _walked(inner, (*path, held.get(id(inner), str(k))), seen)


def _held(layer: Any) -> Iterator[tuple[int, str]]:
    """Yield what the attributes hold, by identity, also in their lists."""
    for name, value in vars(layer).items():
        if name.startswith("_"):
            continue
        yield id(value), name
        if isinstance(value, list | tuple):
            yield from ((id(part), f"{name}.{k}") for k, part in enumerate(value))
