"""An op as a text by which another process finds it, and as the function that it finds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porting.loading import load
from porting.runners.modes import NotPossibleError
from porting.runners.side import as_twin, given
from porting.runners.tree import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porting.runners.base import Case


def text_of(twin: Any, case: Case, same: Callable[[str], bool]) -> str:
    """Return the text: the name that `porting.loading.load` takes, the names of the inputs, and the statics.

    Parameters
    ----------
    twin : callable
        The op, as a side of a pair perhaps wrapped.
    case : Case
        What it is asked.
    same : callable
        Whether what is found by a text has the value and the gradient of the op in eager mode; asked where it is
        another function.

    Raises
    ------
    NotPossibleError
        If no name leads to the op, a static is no plain value, or what is found by the name is another function.
    """
    inner: Any = twin
    fixed: dict[str, Any] = {}
    target = _target(inner)
    while target is None and hasattr(inner, "__wrapped__"):
        fixed.update(getattr(inner, "fixed", {}))
        inner = inner.__wrapped__
        target = _target(inner)
    if target is None:
        name = getattr(inner, "__qualname__", type(inner).__name__)
        raise NotPossibleError(f"{name} is not at the top of a module, where another process finds it by its name")
    try:
        text = json.dumps(pack((target, tuple(case.inputs), dict(case.statics), fixed), _refused))
    except TypeError as error:
        raise NotPossibleError(f"a static cannot be written down: {error}") from None
    if inner is not twin and not _quietly(same, text):
        raise NotPossibleError(f"{target} itself, by which another process finds it, is not called as this side is")
    return text


def found_by(key: str, text: str) -> tuple[Callable[..., Any], Mapping[str, Any]]:
    """Return the op of a framework as a twin, and the statics that it is called with."""
    target, inputs, statics, fixed = unpack(json.loads(text), _refused)
    return given(as_twin(key, load(target, "the op"), inputs, {**statics, **fixed}), fixed), statics


def _quietly(same: Callable[[str], bool], text: str) -> bool:
    try:
        return same(text)
    except Exception:  # noqa: BLE001 - it may take other arguments, and then it is not the same
        return False


def _target(function: Any) -> str | None:
    """Return the name of a function for `load`, if it leads to this function."""
    module: Any = sys.modules.get(getattr(function, "__module__", None) or "")
    name = getattr(function, "__qualname__", "")
    if module is None or module.__name__ == "__main__" or not name:
        return None
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not function:
        return None
    file = getattr(module, "__file__", None)
    return f"{module.__name__ if module.__package__ or file is None else Path(file).resolve()}:{name}"


def _refused(_: Any) -> Any:
    raise TypeError("an array")
