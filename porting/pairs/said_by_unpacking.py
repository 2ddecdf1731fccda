"""How many axes a source reads from the shapes of its arguments, ``b, n, d = x.shape``, and what it calls them."""

import ast
import inspect
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from porting.pairs.said_by_comments import Shape
from porting.pairs.said_by_source import body_of, handed_on, parameters_of, tree_of

_DEEP: Final = 2  # calls that an argument is followed through
# Methods that leave the shape as it is.
_SAME_SHAPE: Final = frozenset({"detach", "cpu", "numpy", "contiguous", "clone", "float", "double"})
_READ: Final = {"shape", "size", "get_shape", "as_list", "unstack", "list", "tuple", "int_shape"}


def axes_of(function: Callable[..., Any], names: Collection[str], deep: int = _DEEP) -> dict[str, Shape]:
    """Return the shapes of those arguments whose lengths a function reads, here or in a function that it calls.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    deep : int
        How many calls within the same file an argument is followed through.

    Returns
    -------
    dict of str to tuple
        Names of axes, as they are called there.
    """
    body = body_of(function)
    tree = tree_of(body)
    if tree is None:
        return {}
    own = {a.arg for a in parameters_of(tree)}
    found: dict[str, Shape] = {}
    same = dict(_asserted(tree))
    for name, axes in (*_unpacked(tree), *_counted(tree), *_in_backward(function)):
        if name in names and name in own:
            found.setdefault(name, tuple(same.get(axis, axis) for axis in axes))
    for name in names if deep else ():
        if name in own and name not in found:
            for to, there in handed_on(tree, body, name, _SAME_SHAPE):
                inner = axes_of(to, [there], deep - 1)
                if there in inner:
                    found[name] = inner[there]
                    break
    return found


def _asserted(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield two names of lengths of which a source asserts that they are one: ``assert a == b``."""
    for node in ast.walk(tree):
        match node:
            case ast.Assert(test=ast.Compare(left=ast.Name(id=one), ops=[ast.Eq()], comparators=[ast.Name(id=other)])):
                yield one.lower(), other.lower()


def _in_backward(function: Callable[..., Any]) -> Iterator[tuple[str, Shape]]:
    """Yield the same of what a backward calls as the forward does: it was saved under that name."""
    tree = tree_of(function.backward) if inspect.isclass(function) and hasattr(function, "backward") else None
    if tree is not None:
        own = {a.arg for a in parameters_of(tree)}
        yield from ((name, axes) for name, axes in _unpacked(tree) if name not in own)


def _unpacked(tree: ast.AST) -> Iterator[tuple[str, Shape]]:
    """Yield the variables whose shape is unpacked, each with the names of its axes."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Tuple):
            continue
        target, name = node.targets[0], _shape_of(node.value)
        if name and all(isinstance(part, ast.Name) for part in target.elts):
            axes = [part.id.lower() for part in target.elts if isinstance(part, ast.Name)]
            yield name, tuple(f"{name.lower()}{k}" if axis.strip("_") == "" else axis for k, axis in enumerate(axes))


def _counted(tree: ast.AST) -> Iterator[tuple[str, Shape]]:
    """Yield the variables of which lengths are read one by one, ``n = x.shape[1]``: up to the last axis that is."""
    read: dict[str, dict[int, str]] = {}
    for node in ast.walk(tree):  # an assignment comes before its parts
        for target, value in _assigned(node):
            name, axis = _length_of(value)
            if name and isinstance(target, ast.Name):
                read.setdefault(name, {}).setdefault(axis, target.id.lower())
        name, axis = _length_of(node)
        if name:
            read.setdefault(name, {}).setdefault(axis, f"{name.lower()}{axis}")
    for name, axes in read.items():
        if max(axes) > 0:
            yield name, tuple(axes.get(k, f"{name.lower()}{k}") for k in range(max(axes) + 1))


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what an assignment binds to what: of two tuples, part by part."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=False)
        case ast.Assign(targets=[target], value=value):
            yield target, value


def _length_of(node: ast.AST) -> tuple[str, int]:
    """Return whose length an expression is, and of which axis: ``x.shape[1]``, ``x.size(1)``, ``tf.shape(x)[1]``."""
    match node:
        case ast.Subscript(value=value, slice=ast.Constant(value=int(axis))):
            return _shape_of(value), axis
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="size"), args=[ast.Constant(value=int(axis))]):
            return name, axis
    return "", 0


def _shape_of(value: ast.expr) -> str:
    """Return whose shape an expression is: ``x.shape``, ``x.size()``, ``tf.shape(x)``, ``x.get_shape().as_list()``."""
    read = False
    while True:
        match value:
            case ast.Attribute(value=inner, attr=attr) if attr in _READ:
                value, read = inner, True
            case ast.Call(func=ast.Attribute(attr=attr), args=[inner]) if attr in _READ:
                value, read = inner, True
            case ast.Call(func=ast.Name(id=called), args=[inner]) if called in _READ:
                value, read = inner, True
            case ast.Call(func=ast.Attribute(attr=attr) as inner, args=[]) if attr in _READ:
                value = inner
            case ast.Name(id=name):
                return name if read else ""
            case _:
                return ""
