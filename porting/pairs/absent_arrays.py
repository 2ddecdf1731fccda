"""Arguments that are None by default, of which a source asks whether they are: the other branch is not compared."""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from porting.pairs.said_by_source import DEEP, body_of, handed_on, parameters_of, tree_of


def absent_arrays(
    functions: Iterable[Callable[..., Any]], settings: Mapping[str, Any], given: Collection[str]
) -> list[str]:
    """Return these arguments, if each side whose source can be read has them.

    One that is set where it is None has a default, ``if dim is None: dim = -1``, and no other branch.

    Parameters
    ----------
    functions : iterable of callable
        The sides.
    settings : mapping of str to object
        What the arguments are that are no inputs.
    given : collection of str
        Those that somebody has said.
    """
    bodies = [body for side in functions if tree_of(body := body_of(side)) is not None]
    asked = [name for name, value in settings.items() if value is None and name not in given]
    return [n for n in asked if all(_has(body, n) for body in bodies) and any(_asks(body, n, DEEP) for body in bodies)]


def _has(body: Any, name: str) -> bool:
    tree = tree_of(body)
    return tree is not None and name in {a.arg for a in parameters_of(tree)}


def _asks(body: Any, name: str, deep: int) -> bool:
    """Whether a source, or a function of its file that is given the argument, compares it with None."""
    tree = tree_of(body)
    if tree is None:
        return False
    nodes = [*ast.walk(tree)]
    if any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes):
        return False
    if any(name in _compared_with_none(node) for node in nodes):
        return True
    return deep > 0 and any(_asks(there, called_so, deep - 1) for there, called_so in handed_on(tree, body, name))


def _compared_with_none(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(value=None)]):
            yield name
