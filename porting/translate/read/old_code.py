"""Leaves out comments that are code which nobody runs any more: whoever reads a translation has the source for them."""

import ast
import re
from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

_BEGINS: Final = re.compile(r"# ?(@\w|def \w+\(|class \w+)")
_PLAIN: Final = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.Delete, ast.Global)


def without_old_code(node: Any) -> Any:
    """Return a definition without lines such as ``# print(x)`` and ``#x = x + 1``; sentences and formulas stay."""
    return node.visit(_Without())


def _runs(lines: Sequence[Any]) -> list[list[Any]]:
    """Return the comments that stand together."""
    found: list[list[Any]] = [[]]
    for line in lines:
        if line.comment is None:
            found.append([])
        else:
            found[-1].append(line)
    return [run for run in found if len(run) > 1]


def _definition(run: Sequence[Any]) -> Sequence[Any]:
    """Return those of some comments that are a function or a class together: no single line of it is a statement."""
    for start, line in enumerate(run):
        if _BEGINS.match(line.comment.value):
            ends = range(len(run), start + 1, -1)
            return next((run[start:end] for end in ends if _defines(run[start:end])), ())
    return ()


def _headers(run: Sequence[Any]) -> list[Any]:
    """Return those of some comments that begin a block, ``# else:``, of which the next one is the first line."""
    texts = [line.comment.value.lstrip("#") for line in run]
    margins = [len(text) - len(text.lstrip()) for text in texts]
    found = [n for n, text in enumerate(texts[:-1]) if margins[n + 1] > margins[n] and _is_header(text.strip())]
    return [run[n] for n in found]


def _is_header(text: str) -> bool:
    """Whether a line begins a block of code: ``if x > 0:``, ``else:``."""
    if text in {"else:", "try:", "finally:"}:
        return True
    try:
        return text.endswith(":") and bool(ast.parse(f"{text.removeprefix('el')} pass").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _defines(lines: Sequence[Any]) -> bool:
    texts = [line.comment.value[1:] for line in lines]
    texts = [text.removeprefix(" ") for text in texts] if texts[0][:1] == " " else texts
    try:
        statements = ast.parse("\n".join(texts)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(statement, ast.FunctionDef | ast.ClassDef) for statement in statements)


class _Without(cst.CSTTransformer):
    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        """Leave out definitions, and then what is a statement by itself."""
        made = super().on_leave(original_node, updated_node)
        lines = getattr(original_node, "leading_lines", ())
        whole = [line for run in _runs(lines) for line in (*_definition(run), *_headers(run))]
        if not whole or not isinstance(made, cst.CSTNode):
            return made
        texts = {line.comment.value for line in whole}
        left: Any = made
        return left.with_changes(
            leading_lines=[e for e in left.leading_lines if e.comment is None or e.comment.value not in texts]
        )

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
