"""Says in a comment why a line does what nobody would expect of a gradient."""

from collections.abc import Sequence
from typing import Any

import libcst as cst


def with_remark(body: Sequence[Any], function: str, remark: str) -> list[Any]:
    """Put a comment above each ``return`` that calls a function, such as ``tf.stop_gradient``.

    Parameters
    ----------
    body : sequence of statements
        What is returned in functions within it has no comment.
    function : str
        The function.
    remark : str
        The comment, without its mark.
    """
    comment = cst.EmptyLine(comment=cst.Comment(f"# {remark}"))

    class Remark(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
            return False

        def leave_SimpleStatementLine(
            self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
        ) -> cst.SimpleStatementLine:
            said = isinstance(updated_node.body[-1], cst.Return) and f"{function}(" in cst.Module([original_node]).code
            above = [*updated_node.leading_lines, comment]
            return updated_node.with_changes(leading_lines=above) if said else updated_node

    return [statement.visit(Remark()) for statement in body]
