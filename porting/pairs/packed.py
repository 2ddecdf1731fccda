"""Arguments that are lists or dictionaries of tensors: each tensor is an input for itself."""

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

from porting.pairs.array import Array

Place: TypeAlias = int | list[int] | dict[str, int]  # of an input, or of each part of an argument


def gathered(inputs: Sequence[str], described: Mapping[str, Array]) -> dict[str, Place]:
    """Return the arguments in the order of their first inputs, with the places of these (``xs`` of ``xs.0`` on)."""
    found: dict[str, Any] = {}
    for place, name in enumerate(inputs):
        part = described[name].part if name in described else ""
        if not part:
            found[name] = place
            continue
        argument, _, key = part.partition(".")
        found.setdefault(argument, {})[key] = place
    return {name: _as_list(places) for name, places in found.items()}


def places_of(place: Place) -> list[int]:
    """Return the places of all parts of an argument."""
    return [place] if isinstance(place, int) else [*(place if isinstance(place, list) else place.values())]


def arguments(groups: Mapping[str, Place], xs: Sequence[Any]) -> list[Any]:
    """Return the arguments that are made of some inputs."""
    return [_taken(place, xs) for place in groups.values()]


def packed(twin: Callable[..., Any], groups: Mapping[str, Place], inputs: Sequence[str]) -> Callable[..., Any]:
    """Return a twin that takes all inputs, by place or all by name, and hands lists and dictionaries of them on."""
    if all(isinstance(place, int) for place in groups.values()):
        return twin

    def taken(*xs: Any, **given: Any) -> Any:
        if xs:
            return twin(*arguments(groups, xs), **given)
        parts = [given.pop(name) for name in inputs]
        return twin(**{argument: _taken(place, parts) for argument, place in groups.items()}, **given)

    taken.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    every = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in inputs]
    taken.__signature__ = Signature([*every, Parameter("given", Parameter.VAR_KEYWORD)])  # type: ignore[attr-defined]
    return taken


def _as_list(places: Any) -> Place:
    """Return places by number as a list; by name they stay a dictionary."""
    if isinstance(places, dict) and all(key.isdecimal() for key in places):
        return [places[key] for key in sorted(places, key=int)]
    found: Place = places
    return found


def _taken(place: Place, xs: Sequence[Any]) -> Any:
    if isinstance(place, int):
        return xs[place]
    if isinstance(place, list):
        return [xs[k] for k in place]
    return {key: xs[k] for key, k in place.items()}
