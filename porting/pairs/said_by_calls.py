"""Which arguments of a function are functions or objects: its source calls them, or asks for their parameters."""

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

import numpy as np

from porting.pairs.said_by_source import DEEP, body_of, given_to, tree_of

_OF_TENSORS: Final = {"numpy", "cpu", "gpu", "get_shape", "set_shape"}  # and not of NumPy's arrays
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


def objects_in(functions: Sequence[Callable[..., Any]], names: Collection[str]) -> set[str]:
    """Return those of the arguments that are objects with methods of their own, which all sides call by one name.

    Tensors of two frameworks share hardly a method that NumPy's arrays have not.
    """
    trees = [tree for function in functions if (tree := tree_of(body_of(function))) is not None]
    methods = [{*_methods(node, names)} for node in trees] if len(trees) > 1 else []
    return {name for name, _ in set.intersection(*methods)} if methods else set()


def _methods(tree: ast.AST, names: Collection[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if name in names:
                if not hasattr(np.ndarray, attr) and attr not in _OF_TENSORS:
                    yield name, attr


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
