"""Variables that a Keras layer made with `tf.Variable`, which Keras 3 does not track: in attributes and their lists."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Place(NamedTuple):
    """A variable, the path that leads to it, as ``scales.0``, and what puts another one there."""

    path: str
    variable: Any
    put: Callable[[Any], None]


def places(layer: Any) -> list[Place]:
    """Return where such variables stand in a layer, and in the layers inside it; each variable once."""
    found: dict[int, Place] = {}
    for place in _of_layer(layer, "", set()):
        found.setdefault(id(place.variable), place)
    return list(found.values())


def _of_layer(layer: Any, front: str, seen: set[int]) -> Iterator[Place]:
    seen.add(id(layer))
    inner = {id(part): f"{front}{k}" for k, part in enumerate(getattr(layer, "_layers", ()))}
    for name, value in list(vars(layer).items()):
        if name.startswith("_self_"):  # TensorFlow's own, which holds the others once more
            continue
        for part, path in _parts(value, f"{front}{name}"):
            if id(part) in inner:
                inner[id(part)] = path
        yield from _inside(value, f"{front}{name}", partial(setattr, layer, name), set())
    for part in getattr(layer, "_layers", ()):
        if id(part) not in seen:
            yield from _of_layer(part, f"{inner[id(part)]}.", seen)


def _inside(value: Any, path: str, put: Callable[[Any], None], seen: set[int]) -> Iterator[Place]:
    import tensorflow as tf

    if isinstance(value, tf.Variable):
        yield Place(path, value, put)
    elif isinstance(value, (list, dict)) and id(value) not in seen:
        seen.add(id(value))
        for key, part in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield from _inside(part, f"{path}.{key}", partial(value.__setitem__, key), seen)
    elif isinstance(value, tuple) and id(value) not in seen:
        seen.add(id(value))
        for k, part in enumerate(value):
            yield from _inside(part, f"{path}.{k}", partial(_into_tuple, value, k, put), seen)


def _into_tuple(parts: tuple[Any, ...], k: int, put: Callable[[Any], None], new: Any) -> None:
    """Put a tuple with one other part in the place of a tuple."""
    put(getattr(parts, "_make", tuple)((*parts[:k], new, *parts[k + 1 :])))


def _parts(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield what an attribute holds, itself or as a part of a list, with the path that leads there."""
    yield value, path
    if isinstance(value, (list, tuple, dict)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield part, f"{path}.{key}"
