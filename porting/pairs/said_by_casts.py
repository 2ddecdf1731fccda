"""Which arguments of a function are numbers of Python: its source casts them, or counts with them: ``int(n)``."""

import ast
import inspect
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from porting.pairs.said_by_source import DEEP, body_of, given_to

_CASTS: Final[dict[type, set[str]]] = {float: {"float"}, int: {"int", "range"}}


def cast_in(function: Callable[..., Any], names: Collection[str]) -> dict[str, type]:
    """Return those arguments that a function makes a number of Python, here or in functions of its file.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.

    Returns
    -------
    dict of str to type
        ``int`` or ``float``.
    """
    body = body_of(function)
    found = {n: kind for kind in _CASTS for n in given_to(body, names, partial(_cast, _CASTS[kind]), DEEP)}
    return {n: found[n] for n in names if n in found}


def _cast(casts: Collection[str], node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id=called), args=[given]) if called in casts:
            yield given


def defaults_in(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the defaults of a function's arguments that are numbers or texts of Python."""
    with suppress(TypeError, ValueError):
        parameters = inspect.signature(body_of(function)).parameters
        return {n: p.default for n, p in parameters.items() if isinstance(p.default, bool | int | float | str)}
    return {}
