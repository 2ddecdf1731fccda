"""Which texts an argument is one of, by the sources: ``if mode == "same"``, or ``KERNELS[mode]`` of their module."""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from porting.pairs.referred import ANY_FUNCTION
from porting.pairs.said_by_source import DEEP, body_of, handed_on, tree_of
from porting.runners.kept_sources import kept_signature


def choices_of(function: Callable[..., Any], names: Collection[str]) -> dict[str, list[str]]:
    """Return those arguments that a function compares with texts, or looks up, with these texts in their order.

    One that is a text by its annotation and compared with none may be any: its own name.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``.
    names : collection of str
        The arguments that are asked about.
    """
    found = {name: list(dict.fromkeys(_compared(body_of(function), name, DEEP))) for name in names}
    return {name: texts or [name] for name, texts in found.items() if texts or _is_text(function, name)}


def _is_text(function: Any, name: str) -> bool:
    with suppress(TypeError, ValueError):
        parameter = kept_signature(function).parameters.get(name)
        return parameter is not None and parameter.annotation in {str, "str"}
    return False


def one_of(name: str, texts: Iterable[Any], tried: Any) -> str:
    """Say which texts an argument is one of, and which one is tried; or which function."""
    if tried is ANY_FUNCTION:
        return f"{name} is a function in the source, {tried} is tried"
    if [*texts] == [name]:
        return f"{name} is a text by its annotation"
    return f"{name} is one of {', '.join(texts)} in the source, {tried} is tried"


def _compared(function: Any, name: str, deep: int) -> Iterator[str]:
    tree = tree_of(function)
    if tree is None:
        return
    sides: tuple[ast.AST, ...]
    known = getattr(function, "__globals__", {})
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=key)) if key == name:
                yield from _keys(known.get(table))
                continue
            case ast.Compare(left=one, ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()], comparators=[other]):
                sides = (one, other)
            case ast.Match(subject=one, cases=cases):
                sides = (one, *(case.pattern for case in cases))
            case _:
                continue
        if any(isinstance(side, ast.Name) and side.id == name for side in sides):
            yield from (text for side in sides for text in _texts(side))
    for there, called_so in handed_on(tree, function, name) if deep else ():
        yield from _compared(there, called_so, deep - 1)


def _keys(table: Any) -> list[str]:
    """Return the keys of a dictionary whose keys are texts."""
    keys = list(table) if isinstance(table, Mapping) else []
    return keys if all(isinstance(key, str) for key in keys) else []


def _texts(side: ast.AST) -> Iterator[str]:
    """Yield the texts that an argument is compared with: one, several of a list, or those of patterns."""
    match side:
        case ast.Constant(value=str(text)):
            yield text
        case ast.MatchValue(value=one):
            yield from _texts(one)
        case ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several) | ast.MatchOr(patterns=several):
            for each in several:
                yield from _texts(each)
