"""Which arguments of a function are dictionaries: what its source looks up in them, and which values stand there."""

import ast
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from porting.pairs.array import UNSAID
from porting.pairs.said_by_source import body_of, handed_on, tree_of

_DEEP: Final = 4  # calls that such an argument is followed through: a setting is used far from where it is given


class Keyed(NamedTuple):
    """A dictionary that an argument may be.

    Attributes
    ----------
    given : dict
        What is looked up in it, with the value that the source has for it: a default, or what it is compared with.
        `UNSAID` stands for a value that the source does not have.
    """

    given: dict[str, Any]

    @property
    def is_read(self) -> bool:
        """Whether the source has all these values."""
        return UNSAID not in self.given.values()


def keyed_in(functions: Sequence[Callable[..., Any]], names: Collection[str]) -> dict[str, Keyed]:
    """Return those arguments in which sources look texts up: ``settings["bits"]``, ``settings.get("mode")``.

    Parameters
    ----------
    functions : sequence of callable
        The sides: functions, objects that are called, or classes of ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    found = {}
    for name in names:
        values: dict[str, list[Any]] = {}
        files: dict[str, Any] = {}
        for function in functions:
            for key, value in _looked_up(body_of(function), name, _DEEP, files):
                values.setdefault(key, []).extend(value)
        if values:
            beside = _defaults(files.values(), values)
            known = {key: [*beside.get(key, []), *values[key]] for key in dict.fromkeys([*beside, *values])}
            found[name] = Keyed({key: several[0] if several else UNSAID for key, several in known.items()})
    return found


def _looked_up(function: Any, name: str, deep: int, files: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield what a function looks up in an argument, with the values that it asks for there, and those that it calls.

    The modules that were read are put into `files`.
    """
    tree = tree_of(function)
    if tree is None:
        return
    files[function.__module__] = sys.modules.get(function.__module__)
    same = _called_so(tree, name)
    held = dict(_held(tree, same))
    for node in ast.walk(tree):
        if (key := _key(node, same)) is not None:
            yield key, _default(node)
        yield from _asked(node, same, held)
    for one in same if deep else ():
        for there, called_so in handed_on(tree, function, one, beside=True):
            yield from _looked_up(there, called_so, deep - 1, files)


def _called_so(tree: ast.AST, name: str) -> list[str]:
    """Return what else the argument, or a copy of it, is called."""
    found = [name]
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=other)], value=value) if other not in found:
                found += [other] if _is_copy(value, found) else []
    return found


def _is_copy(value: ast.AST, same: Collection[str]) -> bool:
    match value:
        case ast.Name(id=name):
            return name in same
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[]):
            return name in same
        case ast.Call(func=ast.Name() | ast.Attribute(), args=[ast.Name(id=name)], keywords=[]):
            return name in same  # ``copy(settings)``, or what changes some of them: ``for_backward(settings)``
    return False


def _key(node: ast.AST, same: Collection[str]) -> str | None:
    """Return what is looked up there; nothing if it is something else."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)), ctx=ast.Load()):
            return key if name in same else None
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=str(key)), *_]):
            return key if name in same else None
    return None


def _default(node: ast.AST) -> list[Any]:
    """Return what ``get`` returns of what is not there."""
    match node:
        case ast.Call(args=[_, ast.Constant(value=value)]):
            return [value]
        case ast.Call():
            return [None]
    return []


def _held(tree: ast.AST, same: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the variables that hold what was looked up, with what that is."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [*zip(targets, values, strict=False)]
            case ast.Assign(targets=[target], value=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Name) and (key := _key(value, same)) is not None:
                yield target.id, key


def _asked(node: ast.AST, same: Collection[str], held: Mapping[str, str]) -> Iterator[tuple[str, list[Any]]]:
    """Yield what decides something, with what it is compared with, or with False."""

    def key_of(side: ast.AST) -> str | None:
        return held.get(side.id) if isinstance(side, ast.Name) else _key(side, same)

    match node:
        case ast.Compare(left=one, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant(value=value)]):
            asked: list[tuple[ast.AST, Any]] = [(one, value)]
        case ast.If(test=one) | ast.IfExp(test=one) | ast.UnaryOp(op=ast.Not(), operand=one):
            asked = [(one, False)]
        case _:
            return
    yield from ((key, [value]) for side, value in asked if (key := key_of(side)) is not None)


def _defaults(modules: Collection[Any], keys: Collection[str]) -> dict[str, list[Any]]:
    """Return the values of the dictionary written in these modules that has the most of some keys."""
    best: dict[str, list[Any]] = {}
    for module in modules:
        with suppress(OSError, TypeError, SyntaxError):
            for node in ast.walk(ast.parse(inspect.getsource(module))):
                found = {key: [value] for key, value in _literals(node) if key in keys}
                best = found if len(found) > len(best) else best
    return best


def _literals(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield the texts that a dictionary has a value for, with those values that are written there."""
    match node:
        case ast.Dict(keys=keys, values=values):
            pairs = [(k.value, v) for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant)]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=several):
            pairs = [(k.arg, k.value) for k in several]
        case _:
            return
    for key, value in pairs:
        with suppress(ValueError):
            if isinstance(key, str):
                yield key, ast.literal_eval(value)
