"""What a layer and a module are written with."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

NOTE: Final = "how its weights begin is not compared: each check draws them."


def method(title: str, params: cst.Parameters, body: Sequence[Any]) -> cst.FunctionDef:
    """Return a function with these statements."""
    lines = list(body) or [cst.SimpleStatementLine([cst.Pass()])]
    return cst.FunctionDef(cst.Name(title), params, cst.IndentedBlock(lines))


def statement(text: str) -> Any:
    """Return a statement."""
    return cst.parse_statement(text)


def with_object(node: Any) -> Any:
    """Return a method with self before its arguments."""
    given = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT) for p in node.params.params]
    return node.with_changes(params=node.params.with_changes(params=[cst.Param(cst.Name("self")), *given]))


def apart(node: Any) -> Any:
    """Put an empty line above a statement."""
    return node.with_changes(leading_lines=[cst.EmptyLine(indent=False), *node.leading_lines])
