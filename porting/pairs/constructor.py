"""What the constructor of a class takes, also where it hands on ``*args, **kwargs`` to those of its bases."""

import inspect
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import Any, Final

_OTHERS: Final = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


def arguments_of(thing: type) -> dict[str, inspect.Parameter]:
    """Return the named arguments of the constructor itself."""
    return _named(inspect.getattr_static(thing, "__init__"))


def inherited(thing: type) -> dict[str, inspect.Parameter]:
    """Return the named arguments that constructors of bases take besides, as far as ``**kwargs`` leads to them.

    Whether one without a default is still wanted, its own constructor may know.
    """
    found: dict[str, inspect.Parameter] = {}
    for init in _handed_on(thing):
        found = {**_named(init), **found}
    return {n: p for n, p in found.items() if n not in arguments_of(thing)}


def looked_up(thing: type, names: Collection[str]) -> set[str]:
    """Return which names a constructor seems to look up in its ``**kwargs``: it has them as texts."""
    texts: set[Any] = set()
    for init in _handed_on(thing):
        kinds = [p.kind for p in _signature(init).values()]
        if inspect.Parameter.VAR_KEYWORD in kinds and not _is_of_framework(init):
            texts |= {c for c in init.__code__.co_consts if isinstance(c, str)} if hasattr(init, "__code__") else set()
    return texts & {*names}


def _handed_on(thing: type) -> Iterator[Callable[..., Any]]:
    """Yield the constructors, one after the other, as long as each takes any keyword."""
    for base in thing.__mro__:
        if "__init__" not in vars(base) or base is object:
            continue
        init = vars(base)["__init__"]
        yield init
        if inspect.Parameter.VAR_KEYWORD not in [p.kind for p in _signature(init).values()]:
            return


def _is_of_framework(init: Any) -> bool:
    return str(getattr(init, "__module__", "")).partition(".")[0] in {"torch", "keras", "tensorflow", "tf_keras"}


def _named(init: Any) -> dict[str, inspect.Parameter]:
    return {n: p for n, p in _signature(init).items() if p.kind not in _OTHERS}


def _signature(init: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters of a constructor, without the object itself."""
    with suppress(TypeError, ValueError):
        return dict(list(inspect.signature(init).parameters.items())[1:])
    return {}
