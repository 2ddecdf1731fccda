"""Finds the arguments that callers in the same file give as plain numbers: TensorFlow makes tensors of them."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import literal
from porting.translate.names import Names, targets


def numbers_given(title: str, parameters: Sequence[cst.Param], names: Names) -> set[str]:
    """Return the parameters of a function that some call of it in the file gives a number.

    Parameters
    ----------
    title : str
        The function.
    parameters : sequence of libcst.Param
        Its parameters.
    names : Names
        Of the module. A number is written out, or has a name that is a number somewhere: that of a constant, or of a
        parameter whose default is one.
    """
    places = [p.name.value for p in parameters]
    every = list(names.defined.values())
    found: set[str] = set()
    known: set[str] | None = None
    for call in (one for node in every for one in m.findall(node, m.Call(func=m.Name(title)))):
        for n, argument in enumerate(cst.ensure_type(call, cst.Call).args):
            if argument.star or n >= len(places):
                break
            place = argument.keyword.value if argument.keyword else places[n]
            known = _numbers(every) if known is None else known
            found |= {place} if _is_number(argument.value) or _last(argument.value) in known else set()
    return found & {*places}


def _numbers(nodes: Sequence[cst.CSTNode]) -> set[str]:
    """Return the names of constants, and of parameters whose default is a number."""
    parameters: list[Any] = [p for node in nodes for p in m.findall(node, m.Param())]
    found = {p.name.value for p in parameters if p.default is not None and _is_number(p.default)}
    lines: list[Any] = [s.body[0] for s in nodes if m.matches(s, m.SimpleStatementLine([m.Assign()]))]  # type: ignore[attr-defined]  # a line has a body
    return found | {n for small in lines if _is_number(small.value) for n in targets(small)}


def _is_number(node: cst.BaseExpression) -> bool:
    value = literal(node)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _last(node: cst.BaseExpression) -> str:
    """Return the name of a variable or of an attribute; nothing for anything else."""
    match node:
        case cst.Name(value=title) | cst.Attribute(attr=cst.Name(value=title)):
            return title
        case _:
            return ""
