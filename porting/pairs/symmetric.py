"""Symmetric matrices: of a gradient by one, only the symmetric part means anything."""

import sys
from collections.abc import Callable, Mapping
from typing import Any


def symmetric(key: str, twin: Callable[..., Any], inputs: Mapping[int, str]) -> Callable[..., Any]:
    """Return a twin that is given the symmetric part of some of its inputs, by place or by name.

    A function of symmetric matrices may read one triangle, or both; its gradient may be symmetric, or have everything
    below the diagonal. Seen through the symmetric part these are one function with one gradient, and a difference goes
    in any direction.
    """

    def symmetrised(*xs: Any, **given: Any) -> Any:
        named = {n: _part(key, x) if n in inputs.values() else x for n, x in given.items()}
        return twin(*(_part(key, x) if k in inputs else x for k, x in enumerate(xs)), **named)

    symmetrised.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    return symmetrised


def _part(key: str, x: Any) -> Any:
    if key == "torch":
        return (x + x.mT) / 2
    return (x + sys.modules["tensorflow"].linalg.matrix_transpose(x)) / 2
