"""What a Keras layer holds and Keras 3 does not track, in attributes, their lists, and in a `tf.Module` there.

These are variables that were made with `tf.Variable`, and plain tensors.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Place(NamedTuple):
    """A variable or a tensor, the path that leads to it, as ``scales.0``, and what puts another one there."""

    path: str
    variable: Any
    put: Callable[[Any], None]


def places(layer: Any) -> list[Place]:
    """Return where such variables stand in a layer, and in the layers inside it; each variable once."""
    import tensorflow as tf

    return _places(layer, tf.Variable)


def tensors(layer: Any) -> list[Place]:
    """Return where plain tensors of real numbers stand in a layer, and in the layers inside it that are not Keras'."""
    import tensorflow as tf

    found = [place for place in _places(layer, tf.Tensor) if hasattr(place.variable, "numpy")]  # no symbol of a graph
    return [place for place in found if place.variable.dtype.is_floating]


def _places(layer: Any, kind: Any) -> list[Place]:
    found: dict[int, Place] = {}
    for place in _of_layer(layer, "", kind, set()):
        found.setdefault(id(place.variable), place)
    return list(found.values())


def _of_layer(layer: Any, front: str, kind: Any, seen: set[int]) -> Iterator[Place]:
    seen.add(id(layer))
    inner = {id(part): f"{front}{k}" for k, part in enumerate(getattr(layer, "_layers", ()))}
    for name, value in _attributes(layer):
        for part, path in _parts(value, f"{front}{name}"):
            if id(part) in inner:
                inner[id(part)] = path
        yield from _inside(value, f"{front}{name}", partial(setattr, layer, name), kind, set())
    for part in getattr(layer, "_layers", ()):
        if id(part) not in seen:
            yield from _of_layer(part, f"{inner[id(part)]}.", kind, seen)


def _attributes(thing: Any) -> list[tuple[str, Any]]:
    """Return names and values, without TensorFlow's own, which hold the others once more."""
    return [(name, value) for name, value in vars(thing).items() if not name.startswith("_self_")]


def _inside(value: Any, path: str, put: Callable[[Any], None], kind: Any, seen: set[int]) -> Iterator[Place]:
    if isinstance(value, kind):
        yield Place(path, value, put)
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    for name, part, put_there in _inner(value, put):
        yield from _inside(part, f"{path}.{name}", put_there, kind, seen)


def _inner(value: Any, put: Callable[[Any], None]) -> list[tuple[Any, Any, Callable[[Any], None]]]:
    """Return what a list, a tuple, a dictionary or a `tf.Module` holds: name, part, and what puts another one there."""
    import tensorflow as tf

    if isinstance(value, (list, dict)):
        parts = list(value.items() if isinstance(value, dict) else enumerate(value))
        return [(key, part, partial(value.__setitem__, key)) for key, part in parts]
    if isinstance(value, tuple):
        return [(k, part, partial(_into_tuple, value, k, put)) for k, part in enumerate(value)]
    if isinstance(value, tf.Module) and not isinstance(value, tf.Variable):
        return [(name, part, partial(setattr, value, name)) for name, part in _attributes(value)]
    return []


def _into_tuple(parts: tuple[Any, ...], k: int, put: Callable[[Any], None], new: Any) -> None:
    """Put a tuple with one other part in the place of a tuple."""
    put(getattr(parts, "_make", tuple)((*parts[:k], new, *parts[k + 1 :])))


def _parts(value: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield what an attribute holds, itself or as a part of a list, with the path that leads there."""
    yield value, path
    if isinstance(value, (list, tuple, dict)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield part, f"{path}.{key}"
