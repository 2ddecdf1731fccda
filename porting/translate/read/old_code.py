"""Leaves out comments that are code which nobody runs any more: whoever reads a translation has the source for them."""

import ast
from typing import Any, Final

import libcst as cst

_PLAIN: Final = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.Delete, ast.Global)


def without_old_code(node: Any) -> Any:
    """Return a definition without lines such as ``# print(x)`` and ``#x = x + 1``; sentences and formulas stay."""
    return node.visit(_Without())


class _Without(cst.CSTTransformer):
    def leave_EmptyLine(self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine) -> Any:  # noqa: ARG002
        if updated_node.comment is not None and is_code(updated_node.comment.value):
            return cst.RemoveFromParent()
        return updated_node


def is_code(comment: str) -> bool:
    """Whether a comment is a statement: with a space before it, ``# y = 2 * x`` may be a formula that explains."""
    text = comment.lstrip("#")
    try:
        statements = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if len(statements) != 1:
        return False
    match statements[0]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print") | ast.Attribute())):
            return True
        case ast.Return(value=value) if value is not None:
            return any(isinstance(part, ast.Call) for part in ast.walk(value))
        case ast.Assign() | ast.AugAssign():
            return text[:1] != " "
        case statement:
            return isinstance(statement, _PLAIN)
