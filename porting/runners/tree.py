"""Turns cases and outcomes into JSON and a list of arrays, to send them through a pipe or keep them in a file."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from porting.runners.base import Case, Outcome, Raised
from porting.runners.bits import BFLOAT16

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.runners.base import Array

_CLASSES = {"Case": Case, "Outcome": Outcome, "Raised": Raised}


def pack(thing: Any, keep: Callable[[Array], int]) -> Any:
    """Return a thing as values for JSON; arrays are given to `keep`, which returns their numbers.

    Parameters
    ----------
    thing : object
        Plain Python values, tuples, lists, dictionaries, arrays, `Case`, `Outcome`, `Raised`. The op of a case is left
        out.
    keep : callable
        Takes an array, never an array of objects, and returns its number.

    Raises
    ------
    TypeError
        If there is something else in it.
    """
    if isinstance(thing, (np.ndarray, np.generic)):  # first: some numbers of NumPy are floats of Python too
        return _packed_array(thing, keep)
    if thing is None or isinstance(thing, (bool, int, float, str)):
        return thing
    if isinstance(thing, (tuple, list)):
        kind = "tuple" if isinstance(thing, tuple) else "list"
        return {kind: [pack(part, keep) for part in thing]}
    if isinstance(thing, dict):
        return {"dict": [[pack(key, keep), pack(value, keep)] for key, value in thing.items()]}
    if isinstance(thing, complex):
        return {"complex": [thing.real, thing.imag]}
    name: str = type(thing).__name__
    if _CLASSES.get(name) is type(thing):
        parts = {f.name: getattr(thing, f.name) for f in fields(_CLASSES[name]) if f.name != "op"}
        return {name: {key: pack(dict(v) if hasattr(v, "keys") else v, keep) for key, v in parts.items()}}
    raise TypeError(f"{name} {str(thing)[:60]!r} is neither a plain value nor an array of numbers")


def _packed_array(thing: Any, keep: Callable[[Array], int]) -> Any:
    array = np.asarray(thing)
    if array.dtype.kind == "O":
        raise TypeError("an array of objects cannot be handed on")
    kind = "array" if isinstance(thing, np.ndarray) else "number"
    if array.dtype.kind == "V":  # bfloat16, of ml_dtypes or of an old TensorFlow, in a type that NumPy knows
        return {"b" + kind: keep(array.view(np.uint16))}
    return {kind: keep(array)}


def unpack(packed: Any, get: Callable[[int], Array], op: Any = None) -> Any:
    """Return what was packed; `get` returns the array of a number, and `op` is that of a case.

    Raises
    ------
    ValueError
        If nothing packs like that.
    """
    if not isinstance(packed, dict):
        return packed
    if len(packed) != 1:
        raise ValueError("no packed value has these keys: {}".format(", ".join(packed)))
    ((kind, content),) = packed.items()
    if kind in ("tuple", "list"):
        return (tuple if kind == "tuple" else list)(unpack(part, get, op) for part in content)
    if kind == "dict":
        return {unpack(key, get, op): unpack(value, get, op) for key, value in content}
    if kind == "complex":
        return complex(*content)
    if kind in ("array", "number", "barray", "bnumber"):
        array = get(content)
        array = array.view(BFLOAT16) if kind[0] == "b" else array
        return array if kind.endswith("array") else array[()]
    if kind not in _CLASSES:
        raise ValueError(f"no packed value is called {kind!r}")
    parts = {name: unpack(value, get, op) for name, value in content.items()}
    return _CLASSES[kind](op, **parts) if kind == "Case" else _CLASSES[kind](**parts)
