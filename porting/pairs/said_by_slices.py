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
    if tree is None:
        return 0
    widths = [least for node in ast.walk(tree) for _, least in _part(node, name)]
    for there, called_so, given in calls_in(tree, function) if deep else ():
        start = 0 if isinstance(given, ast.Name) and given.id == name else None
        start = next((first for first, _ in _part(given, name)), start)
        if start is not None:
            widths.append(start + _width(there, called_so, deep - 1))
    return max(widths, default=0)


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
    others: list[tuple[Any, ...]] = [("n", length) for length in sorted(lengths_in(why))]
    for shape in [*others, ("n", "k"), (...,)] if known else []:
        yield {n: array(("n", known[n]) if n in known else shape) for n in names}
        if len(known) == len(names):
            return
