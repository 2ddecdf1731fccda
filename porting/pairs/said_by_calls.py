"""Which arguments of a function are functions or objects: its source calls them, or asks for their parameters."""

import ast
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from porting.pairs.said_by_source import DEEP, body_of, given_to

_OF_MODULES: Final = {"parameters", "named_parameters", "state_dict", "trainable_variables", "trainable_weights"}


def called_in(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments that a function calls, or takes for a module, here or in functions of its file.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    return given_to(body_of(function), names, _called, DEEP)


def functions_in(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those of the arguments that a function calls and asks for no parameters: they may be any function."""
    body = body_of(function)
    return given_to(body, names, _functions, DEEP) - given_to(body, names, _modules, DEEP)


def _called(node: ast.AST) -> Iterator[ast.expr]:
    yield from (*_functions(node), *_modules(node))


def _functions(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name() as called):
            yield called


def _modules(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Attribute(value=ast.Name() as module, attr=attr) if attr in _OF_MODULES:
            yield module
