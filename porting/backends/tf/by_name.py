"""An op as a text by which another process finds it, and as the function that it finds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porting.backends.tf.call import called
from porting.loading import load
from porting.runners.modes import NotPossibleError
from porting.runners.side import as_twin, given
from porting.runners.tree import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Callable

    from porting.backends.tf.in_mode import Answer, Asked


def by_name(asked: Asked) -> str:
    """Return the text: the name that `porting.loading.load` takes, the names of the inputs, and the statics.

    Raises
    ------
    NotPossibleError
        If no name leads to the op, a static is no plain value, or what is found by the name is another function: a
        side of a pair may be wrapped.
    """
    twin: Any = asked.twin
    fixed: dict[str, Any] = {}
    target = _target(twin)
    while target is None and hasattr(twin, "__wrapped__"):
        fixed.update(getattr(twin, "fixed", {}))
        twin = twin.__wrapped__
        target = _target(twin)
    if target is None:
        name = getattr(twin, "__qualname__", type(twin).__name__)
        raise NotPossibleError(f"{name} is not at the top of a module, where another process finds it by its name")
    try:
        text = json.dumps(pack((target, tuple(asked.case.inputs), dict(asked.case.statics), fixed), _refused))
    except TypeError as error:
        raise NotPossibleError(f"a static cannot be written down: {error}") from None
    if twin is not asked.twin and not _same(asked, text):
        raise NotPossibleError(f"{target} itself, by which another process finds it, is not called as this side is")
    return text


def named(text: str) -> Callable[..., tuple[Any, ...]]:
    """Return the op as a function of its inputs."""
    target, inputs, statics, fixed = unpack(json.loads(text), _refused)
    twin = given(as_twin("tf", load(target, "the op"), inputs, {**statics, **fixed}), fixed)
    return lambda *xs: called(twin, xs, statics)


def _same(asked: Asked, text: str) -> bool:
    """Whether what is found by the name has the value and the gradient of the side, in eager mode."""
    stage = asked.stage
    try:
        function = named(text)
        return _bits(asked.taped(lambda *x: function(*asked.all(x)))) == _bits(asked.taped(asked))
    except Exception:  # noqa: BLE001 - it may take other arguments, and then it is not the same
        return False
    finally:
        asked.stage = stage


def _bits(answer: Answer) -> list[bytes | None]:
    return [None if t is None else t.numpy().tobytes() for part in answer for t in part]


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
