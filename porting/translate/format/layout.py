"""Puts a module in the form that people read: empty lines between definitions, none where a block begins."""

from collections.abc import Sequence
from typing import Any

import libcst as cst

from porting.translate.format.line_breaking import Wrap


def laid_out(module: cst.Module) -> str:
    """Return the text of a module."""
    body = [_between(statement, n, module.body) for n, statement in enumerate(module.body)]
    return cst.Module(body).visit(_Blocks()).visit(Wrap()).code.lstrip("\n")


def _between(statement: Any, place: int, body: Sequence[Any]) -> Any:
    """Put two empty lines around a definition, one between imports and the rest, none between simple lines."""
    own = [line for line in map(_clean, statement.leading_lines) if line.comment]
    if not place:
        return statement.with_changes(leading_lines=own)
    defines = isinstance(statement, cst.FunctionDef | cst.ClassDef)
    after = isinstance(body[place - 1], cst.FunctionDef | cst.ClassDef)
    imports = _imports(body[place - 1]) and not _imports(statement)
    apart = imports or (_imports(statement) and any(not line.comment for line in statement.leading_lines))
    count = 2 if defines or after else 1 if apart else 0
    return statement.with_changes(leading_lines=[*[cst.EmptyLine(indent=False)] * count, *own])


def _clean(line: cst.EmptyLine) -> cst.EmptyLine:
    """Return an empty line or a comment without blanks at its end; nothing is left of a row of signs."""
    if line.comment is None or not any(sign.isalnum() for sign in line.comment.value):
        return cst.EmptyLine(indent=False, newline=line.newline)
    return line.with_changes(comment=cst.Comment(line.comment.value.rstrip()))


def _imports(statement: Any) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Import | cst.ImportFrom)


class _Blocks(cst.CSTTransformer):
    """No empty line where a block begins; no two in a row within one; one around a function."""

    def leave_IndentedBlock(self, original_node: Any, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:  # noqa: ARG002
        body: list[Any] = []
        for n, statement in enumerate(updated_node.body):
            lines: list[cst.EmptyLine] = []
            for line in map(_clean, getattr(statement, "leading_lines", ())):
                if line.comment or (n and not (lines and not lines[-1].comment)):
                    lines.append(line)
            around = n and any(isinstance(s, cst.FunctionDef | cst.ClassDef) for s in (statement, body[-1]))
            documented = n == 1 and _is_docstring(body[0]) and isinstance(statement, cst.FunctionDef)
            if (around or documented) and not (lines and not lines[0].comment):
                lines.insert(0, cst.EmptyLine(indent=False))
            body.append(
                statement.with_changes(leading_lines=lines) if hasattr(statement, "leading_lines") else statement
            )
        return updated_node.with_changes(body=body)

    def leave_TrailingWhitespace(
        self,
        original_node: Any,  # noqa: ARG002 - libcst's name
        updated_node: cst.TrailingWhitespace,
    ) -> cst.TrailingWhitespace:
        said = updated_node.comment.value.rstrip() if updated_node.comment else ""
        space = updated_node.whitespace if said else cst.SimpleWhitespace("")
        return updated_node.with_changes(whitespace=space, comment=cst.Comment(said) if said else None)


def _is_docstring(statement: Any) -> bool:
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString)
