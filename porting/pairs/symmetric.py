"""Symmetric matrices: of a gradient by one, only the symmetric part means anything."""

from collections.abc import Callable, Sequence
from typing import Any

from porting.backends import BACKENDS
from porting.pairs.wrapped import changed, wrapped


def symmetric(key: str, twin: Callable[..., Any], places: Sequence[int]) -> Callable[..., Any]:
    """Return a twin that is given the symmetric part of some of its inputs, by place or by name.

    A function of symmetric matrices may read one triangle, or both; its gradient may be symmetric, or have everything
    below the diagonal. Seen through the symmetric part these are one function with one gradient, and a difference goes
    in any direction.
    """

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def symmetrised(*xs: Any, **given: Any) -> Any:
            part = BACKENDS[key].tensors.symmetrised
            mine, named = changed(xs, given, places, lambda _, x: part(x))
            return inner(*mine, **named)

        return symmetrised

    return wrapped(twin, wrap) if places else twin
