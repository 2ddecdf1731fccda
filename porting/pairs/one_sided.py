"""The last arguments of a side, which it has to be given, and for which no other side has a place.

A ``torch.autograd.Function`` takes no defaults: ``forward(ctx, x, shape, mask, out)`` stands behind a function that has
``mask=None, out=None``, and a port of it that has neither is no other function.
"""

import ast
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from porting.pairs.modules import signature_of
from porting.pairs.names import mean_the_same
from porting.pairs.said_by_source import DEEP, body_of, given_to, handed_on, tree_of
from porting.pairs.unpacked import parts_of

_NONE_BELOW: Final = object()
_USUAL: Final = {"inplace": False, "in_place": False, "verbose": False, "debug": False, "device": "cpu"}


def one_sided(key: str, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return such arguments of a side, each with the default of a function of its file that is handed it.

    What the source compares with None is None, and what says by its name that it changes no number is as usual:
    ``inplace`` is False. If one of them is none of these, there are none: it cannot do without it.

    Parameters
    ----------
    key : str
        The side.
    functions : mapping of str to callable
        All sides, by their keys.
    """
    others = [parameters for k, f in functions.items() if k != key and (parameters := signature_of(k, f)) is not None]
    if not others or len(others) < len(functions) - 1:  # one does not say what it takes
        return {}
    mine = signature_of(key, functions[key]) or {}
    wanted = [n for n, default in mine.items() if default is inspect.Parameter.empty]
    places = max(map(len, others))
    behind = wanted[places:]
    if any(mean_the_same(n, theirs) for n in behind for other in others for theirs in other):
        return {}
    lists = (parts_of(f, signature_of(k, f) or {}) for k, f in functions.items() if k != key)
    if behind and any(lists):
        return {}
    defaults = {n: default for n in behind if (default := _default_below(functions[key], n)) is not _NONE_BELOW}
    absent = given_to(body_of(functions[key]), {*behind} - {*defaults}, _compared_with_none, DEEP)
    known = {**_USUAL, **dict.fromkeys(absent), **defaults}
    return {n: known[n] for n in behind} if {*behind} <= {*known} else {}


def without_place(
    key: str,
    functions: Mapping[str, Callable[..., Any]],
    statics: Collection[str],
    places: Collection[str],
    given: Collection[str],
) -> set[str]:
    """Return the statics that another side takes and that this one has no place for, as a plain version has no tiles.

    Where a parameter of it is left, or one means the same, that may be the place; then there are none.

    Parameters
    ----------
    key : str
        The side.
    functions : mapping of str to callable
        All sides, by their keys.
    statics : collection of str
        What a user gives by name.
    places : collection of str
        The parameters of this side that are inputs.
    given : collection of str
        What it would be called with besides.
    """
    mine = signature_of(key, functions[key])
    if mine is None or _takes_anything(functions[key]):
        return set()
    theirs = {n for side, function in functions.items() if side != key for n in signature_of(side, function) or {}}
    absent = {n for n in statics if n in given and n in theirs and n not in mine}
    alike = any(mean_the_same(n, own) for n in absent for own in mine)
    return set() if alike or {*mine} - {*places} - {*given} else absent


def _takes_anything(function: Callable[..., Any]) -> bool:
    with suppress(TypeError, ValueError):
        return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())
    return True


def _default_below(function: Callable[..., Any], name: str) -> Any:
    """Return the default that a function of the same file has for what it is handed."""
    body = body_of(function)
    tree = tree_of(body)
    for inner, there in handed_on(tree, body, name) if tree else ():
        default = inspect.signature(inner).parameters[there].default
        if default is not inspect.Parameter.empty:
            return default
    return _NONE_BELOW


def _compared_with_none(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            yield left
