"""Numbers that a function reads each time it is called, and that other code changes."""

from __future__ import annotations

import ast
import inspect
from types import CodeType
from typing import TYPE_CHECKING, Any

from porting.runners.side import called

if TYPE_CHECKING:
    from collections.abc import Iterator

_SETTING_UP = {"__init__", "__new__", "build", "__init_subclass__", "__post_init__"}  # not called again


class _Attributes:
    """The attributes of an object by name, as a container."""

    def __init__(self, thing: Any) -> None:
        self._thing = thing

    def __getitem__(self, name: str) -> Any:
        return getattr(self._thing, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self._thing, name, value)


def changeable(twin: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the numbers that a function reads and that may change between two calls.

    Yields
    ------
    name : str
        As it is written: ``settings['k']``, ``SLOPE``, ``Spike.slope``.
    container, key
        ``container[key]`` is the number, and can be set. Numbers in dictionaries and lists of the closure and the
        module are meant to be changed; a name of the module, or an attribute of the object or of a class, if a
        function of the same file sets it again. That is a constant otherwise.
    """
    function = called(inspect.unwrap(twin))
    owner = getattr(function, "__self__", None)
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not inspect.isfunction(function):
        return
    names = _names(function.__code__)
    module = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, thing in {**module, **inspect.getclosurevars(function).nonlocals}.items():
        entries = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
        yield from ((f"{name}[{key!r}]", thing, key) for key, value in list(entries) if _is_number(value))
    globals_set, attributes_set = _set_again(function)
    for name in sorted(globals_set & set(module)):
        if _is_number(module[name]):
            yield name, function.__globals__, name
    objects = {name: thing for name, thing in module.items() if inspect.isclass(thing)}
    for label, thing in [*objects.items(), *([(type(owner).__name__, owner)] if owner is not None else [])]:
        for name in sorted(attributes_set & names):
            if _is_number(getattr(thing, name, None)):
                yield f"{label}.{name}", _Attributes(thing), name


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _names(code: CodeType) -> set[str]:
    """Return the names that a function and those inside it look up."""
    inner = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


def _set_again(function: Any) -> tuple[set[str], set[str]]:
    """Return the names of the module, and those of attributes, that functions of the same file set."""
    try:
        tree = ast.parse(inspect.getsource(inspect.getmodule(function) or function))
    except (OSError, TypeError, SyntaxError):  # typed in, or given without its source
        return set(), set()
    globals_set: set[str] = set()
    attributes: set[str] = set()
    for part in ast.walk(tree):
        if isinstance(part, (ast.FunctionDef, ast.Lambda)) and getattr(part, "name", "") not in _SETTING_UP:
            for node in ast.walk(part):
                if isinstance(node, ast.Global):
                    globals_set.update(node.names)
                elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    attributes.add(node.attr)
    return globals_set, attributes
