"""Inputs that are declared in several floating types: each side is given them so, and compared in the narrowest."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from porting.backends import BACKENDS
from porting.dtypes import FLOATS, unit_roundoff
from porting.pairs.array import COMPLEX, Array
from porting.pairs.wrapped import changed, wrapped

_NARROW: Final = {COMPLEX[0]: "float32"}  # of the parts of complex numbers that say that they are not the widest


def types_of(inputs: Mapping[str, Array]) -> tuple[str, ...]:
    """Return the floating types of the inputs that are differentiated, ``float32`` for ``complex64``."""
    said = [_NARROW.get(a.dtype, a.dtype) for a in inputs.values() if a.differentiated]
    found = {dtype for dtype in said if dtype in FLOATS}
    return tuple(sorted(found, key=FLOATS.index))


def narrowest(types: Sequence[str]) -> str:
    """Return the type with the fewest digits: no side has more of them than it."""
    return max(types, key=unit_roundoff)


def own_types(inputs: Mapping[str, Array]) -> dict[str, str]:
    """Return the types of those inputs that keep their own, whatever is checked in; none where all have the same."""
    floats = {n: a for n, a in inputs.items() if a.dtype in FLOATS}
    types = types_of(inputs)
    if len(types) > 1:
        return {n: a.dtype for n, a in floats.items()}
    return {n: a.dtype for n, a in floats.items() if not a.differentiated and types and a.dtype != types[0]}


def typed(key: str, twin: Callable[..., Any], inputs: Sequence[str], types: Mapping[str, str]) -> Callable[..., Any]:
    """Return a twin that is given some of its inputs in types of their own; its outputs have the checked type.

    The gradient of an input that has the checked type is seen as the side returns it.
    """
    places = {k: types[name] for k, name in enumerate(inputs) if name in types}

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def in_types(*xs: Any, **given: Any) -> Any:
            cast = BACKENDS[key].tensors.in_type
            asked = next((x.dtype for k, x in enumerate([*xs, *given.values()]) if k in places), None)
            mine, named = changed(xs, given, places, lambda k, x: cast(x, places[k]))
            y = inner(*mine, **named)
            if asked is None:
                return y
            return tuple(cast(one, asked) for one in y) if isinstance(y, tuple | list) else cast(y, asked)

        return in_types

    return wrapped(twin, wrap) if places else twin
