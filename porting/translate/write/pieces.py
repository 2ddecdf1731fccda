"""Small pieces of written functions: a tuple of values, an empty line above a statement, where a gradient stands."""

from collections.abc import Sequence
from typing import Any

import libcst as cst

from porting.translate.code import Expression, build, source


def together(elements: Sequence[cst.Element]) -> Expression:
    """Return one value as it is, and several as a tuple."""
    return elements[0].value if len(elements) == 1 else cst.Tuple(elements)


def apart(statement: Any) -> Any:
    """Put an empty line above a statement."""
    if statement.leading_lines and not statement.leading_lines[0].comment:
        return statement
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False), *statement.leading_lines])


def with_gradient(body: Sequence[Any], grad: cst.FunctionDef) -> list[Any]:
    """Put a gradient before the first statement that may return."""
    first = next((n for n, statement in enumerate(body) if "return" in source(statement)), len(body))
    rest = list(body[first:])
    if rest:
        rest[0] = apart(rest[0])
    return [*body[:first], apart(grad) if first else grad, *rest]


def converted(cotangent: str) -> cst.SimpleStatementLine:
    """Return the line that makes a tensor of a cotangent, which TensorFlow may hand over as slices."""
    call = build(f"tf.convert_to_tensor({cotangent})")
    behind = cst.TrailingWhitespace(cst.SimpleWhitespace("  "), cst.Comment("# it may be tf.IndexedSlices"))
    return cst.SimpleStatementLine(
        [cst.Assign([cst.AssignTarget(cst.Name(cotangent))], call)], trailing_whitespace=behind
    )
