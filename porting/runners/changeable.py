"""Finds numbers that a function reads each time it is called, and that other code may change."""

from __future__ import annotations

import ast
import inspect
from contextlib import suppress
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
        ``container[key]`` is the number, and can be set. Numbers in dictionaries of the closure and the module that
        have names for keys are settings; those in other dictionaries, such as one by types, and in lists, a name of the
        module, or an attribute of the object or of a class, may change if a function of the same file sets them again.
        They are constants otherwise.
    """
    function = called(inspect.unwrap(twin))
    owner = getattr(function, "__self__", None)
    function = inspect.unwrap(getattr(function, "__func__", function))
    if not inspect.isfunction(function):
        return
    names = _names(function.__code__)
    module = {name: function.__globals__[name] for name in names if name in function.__globals__}
    again = _SetAgain.of(function)
    for name, thing in {**module, **inspect.getclosurevars(function).nonlocals}.items():
        entries = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
        named = isinstance(thing, dict) and all(isinstance(key, str) for key in thing)
        numbers = [key for key, value in list(entries) if _is_number(value)] if named or name in again.items else []
        yield from ((f"{name}[{key!r}]", thing, key) for key in numbers)
    for name in sorted(again.names & set(module)):
        if _is_number(module[name]):
            yield name, function.__globals__, name
    classes = {name: thing for name, thing in module.items() if inspect.isclass(thing)}
    for label, thing in [*classes.items(), *([(type(owner).__name__, owner)] if owner is not None else [])]:
        kinds = thing.__mro__ if inspect.isclass(thing) else type(thing).__mro__
        here = {label, *(kind.__name__ for kind in kinds), *(n for n, other in _globals(function) if other is thing)}
        for name in sorted({attribute for base, attribute in again.attributes if base in here} & names):
            if _is_number(getattr(thing, name, None)):
                yield f"{label}.{name}", _Attributes(thing), name


def _globals(function: Any) -> list[tuple[str, Any]]:
    return list(function.__globals__.items())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _names(code: CodeType) -> set[str]:
    """Return the names that a function and those inside it look up."""
    inner = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


class _SetAgain(ast.NodeVisitor):
    """What the functions of a file set again.

    Attributes
    ----------
    names : set of str
        Of the module.
    items : set of str
        What has elements that are set.
    attributes : set of (str, str)
        The class, where a method sets an attribute of its object, or the name that the object has; and the attribute.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.items: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self._class = ""
        self._arguments: list[str] | None = None  # of the function that is looked into

    @classmethod
    def of(cls, function: Any) -> _SetAgain:
        """Read the file of a function; nothing is known of one that was typed in."""
        found = cls()
        with suppress(OSError, TypeError, SyntaxError):
            found.visit(ast.parse(inspect.getsource(inspect.getmodule(function) or function)))
        return found

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Look into a class."""
        before, self._class = self._class, node.name
        self.generic_visit(node)
        self._class = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Look into a function, unless it sets up an object."""
        if node.name in _SETTING_UP:
            return
        before, self._arguments = self._arguments, [argument.arg for argument in node.args.args]
        self.generic_visit(node)
        self._arguments = before

    def visit_Global(self, node: ast.Global) -> None:
        """Note names that a function takes from its module to set them."""
        self.names.update(node.names)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """Note attributes that are set: of the object of a method, of what has a name; an argument is anybody's."""
        arguments = self._arguments
        if arguments is not None and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            base = node.value.id
            if self._class and arguments[:1] == [base]:
                self.attributes.add((self._class, node.attr))
            elif base not in arguments:
                self.attributes.add((base, node.attr))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Note what has elements that are set."""
        if self._arguments is not None and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            self.items.add(node.value.id)
        self.generic_visit(node)
