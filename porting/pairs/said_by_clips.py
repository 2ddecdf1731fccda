"""Which arguments are limits above 0 by a source: something is held between ``-c`` and ``c``."""

import ast
import re
from collections.abc import Callable, Collection
from typing import Any, Final

from porting.pairs.said_by_source import body_of, tree_of

_CLIPS: Final = re.compile(r"clamp_?|clip(_by_value)?_?|hardtanh|uniform_?")


def limits_of(function: Callable[..., Any], names: Collection[str]) -> set[str]:
    """Return those arguments whose negative is the lower end of a range of which they are the upper one.

    Parameters
    ----------
    function : callable
        A side: a function, an object that is called, or an ``autograd.Function``, whose backward is read too.
    names : collection of str
        The arguments that are asked about.
    """
    trees = map(tree_of, (body_of(function), getattr(function, "backward", None)))
    calls = [node for tree in trees if tree is not None for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {name for call in calls for name in _ends(call)} & {*names}


def _ends(call: ast.Call) -> set[str]:
    if _CLIPS.fullmatch(_named(call.func)) is None:
        return set()
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    below = {_named(end.operand) for end in given if isinstance(end, ast.UnaryOp) and isinstance(end.op, ast.USub)}
    return below & {*map(_named, given)} - {""}


def _named(node: ast.AST) -> str:
    """Return what a variable is called, or what is kept of it, ``ctx.c``."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
