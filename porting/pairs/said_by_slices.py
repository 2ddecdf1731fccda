"""How long the last axis of an argument is, by the parts that a source takes of it: ``X[..., :3]``, ``X[..., 3:]``."""

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from porting.pairs.array import array
from porting.pairs.said_by_names import Description, lengths_in
from porting.pairs.said_by_source import DEEP, body_of, calls_in, tree_of

_LONGEST: Final = 64  # what is longer is a limit, not a number of parts


def widths_of(function: Callable[..., Any], names: Collection[str]) -> dict[str, int]:
    """Return the least lengths of the last axes of those arguments of which a function takes parts.

    A part that is handed on may be taken apart there: with ``f(X[..., 3:])`` it adds what ``f`` takes.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    found = {name: _width(body_of(function), name, DEEP) for name in names}
    return {name: width for name, width in found.items() if 1 < width <= _LONGEST}


def _width(function: Any, name: str, deep: int) -> int:
    tree = tree_of(function)
    return 0 if tree is None else _width_in(tree, function, name, deep, frozenset({name}))


def _width_in(tree: ast.FunctionDef, function: Any, name: str, deep: int, seen: frozenset[str]) -> int:
    """Return the least length by what a function does with a variable, and with those that are parts of it."""
    widths = [least for node in ast.walk(tree) for _, least in _part(node, name)]
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Assign)):
        widths.append(_unstacked(node, name))
        for local, begins in _parts_by_name(node, name):
            if local not in seen:
                widths.append(begins + _width_in(tree, function, local, deep, seen | {local}))
    for there, called_so, given in calls_in(tree, function) if deep else ():
        start = 0 if isinstance(given, ast.Name) and given.id == name else None
        start = next((first for first, _ in _part(given, name)), start)
        if start is not None:
            widths.append(start + _width(there, called_so, deep - 1))
    return max(widths, default=0)


def _parts_by_name(node: ast.Assign, name: str) -> Iterator[tuple[str, int]]:
    """Yield the variables that are parts of the argument, and where these begin: ``v, w = X[..., :3], X[..., 3:]``."""
    for target in node.targets:
        match target, node.value:
            case ast.Tuple(elts=locals_), ast.Tuple(elts=values):
                pairs = [*zip(locals_, values, strict=False)]
            case _:
                pairs = [(target, node.value)]
        for local, value in pairs:
            if isinstance(local, ast.Name):
                yield from ((local.id, start) for start, _ in _part(value, name))


def _unstacked(node: ast.Assign, name: str) -> int:
    """Return into how many elements the last axis is taken apart: ``x, y, z = tf.unstack(v, axis=-1)``; 0 if not."""
    match node:
        case ast.Assign(
            targets=[ast.Tuple(elts=several)],
            value=ast.Call(func=ast.Attribute(attr="unstack" | "unbind"), args=[ast.Name(id=of), *_] as given) as call,
        ) if of == name:
            axes = [*given[-1:], *(k.value for k in call.keywords if k.arg in {"axis", "dim"})]
            return len(several) if any(_whole(axis) == -1 for axis in axes) else 0
    return 0


def _part(node: ast.AST, name: str) -> Iterator[tuple[int, int]]:
    """Yield where a part of the argument begins along the last axis, and the least length that has such a part."""
    match node:
        case ast.Subscript(value=ast.Name(id=of), slice=ast.Tuple(elts=[first, *_] as places)) if of == name:
            after = [k for k, place in enumerate(places) if not _is_new(place)]
            is_last = _is_all(first) and len(after) == 2
            last = places[after[-1]]
        case _:
            return
    if is_last and isinstance(last, ast.Slice):
        start, stop = _whole(last.lower), _whole(last.upper)
        if (start or 0) >= 0 and (stop or 0) >= 0 and (start or stop):
            yield start or 0, max(stop or 0, (start or 0) + 1)
    elif is_last and (at := _whole(last)) is not None:
        yield max(at, 0), at + 1 if at >= 0 else -at


def _is_all(place: ast.expr) -> bool:
    """Whether a place is ``...`` or ``:``."""
    match place:
        case ast.Constant(value=value):
            return value is ...
        case ast.Slice(lower=None, upper=None, step=None):
            return True
    return False


def _is_new(place: ast.expr) -> bool:
    """Whether a place is an axis that is new: ``None``, ``tf.newaxis``."""
    match place:
        case ast.Constant(value=None) | ast.Attribute(attr="newaxis"):
            return True
    return False


def _whole(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
    return None


def of_widths(names: Sequence[str], widths: Mapping[str, int], why: str) -> Iterator[Description]:
    """Yield inputs with last axes of these lengths; of the others, of a length that an error asks for, or of any.

    Parameters
    ----------
    names : sequence of str
        The arguments.
    widths : mapping of str to int
        What the sources say, see `widths_of`.
    why : str
        What a side says of arrays of any shape.
    """
    known = {n: widths[n] for n in names if n in widths}
    lengths = [*sorted(lengths_in(why)), *(width - k for width in known.values() for k in (1, 0))]  # of a tangent
    others: list[tuple[Any, ...]] = [("n", length) for length in dict.fromkeys(lengths)]
    for shape in [*others, ("n", "k"), (...,)] if known else []:
        yield {n: array(("n", known[n]) if n in known else shape) for n in names}
        if len(known) == len(names):
            return
