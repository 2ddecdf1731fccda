"""Signatures and sources, read once: for the source of a class Python parses the whole file, each time."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

_T = TypeVar("_T")
_CLASSES: Any = WeakKeyDictionary()
_SIGNATURES: Any = WeakKeyDictionary()
_METHODS: Any = WeakKeyDictionary()


def kept_source(thing: Any) -> str:
    """Return what `inspect.getsource` does, and raise what it raises."""
    inner = inspect.unwrap(thing) if callable(thing) else thing
    if inspect.isclass(inner):
        return _once(_CLASSES, inner, inspect.getsource)
    code = getattr(getattr(inner, "__func__", inner), "__code__", None)
    return _of_code(code, code.co_filename) if inspect.iscode(code) else inspect.getsource(thing)


def kept_signature(thing: Any) -> inspect.Signature:
    """Return what `inspect.signature` does, and raise what it raises."""
    if inspect.ismethod(thing):  # made anew each time that it is looked up
        return _once(_METHODS, thing.__func__, lambda _: inspect.signature(thing))
    plain = inspect.isfunction(thing) or inspect.isclass(thing)
    return _once(_SIGNATURES, thing, inspect.signature) if plain else inspect.signature(thing)


@lru_cache(maxsize=1024)
def _of_code(code: CodeType, _file: str) -> str:
    """Return the source of a function; two files may have equal ones in the same lines."""
    return inspect.getsource(code)


def _once(kept: Any, thing: Any, ask: Callable[[Any], _T]) -> _T:
    if thing not in kept:
        kept[thing] = ask(thing)
    found: _T = kept[thing]
    return found
