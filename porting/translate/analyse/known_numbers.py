"""Computes a number from what is written out, and from constants of the module."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import literal

_OPERATORS: Final[dict[type[cst.CSTNode], Callable[[Any, Any], Any]]] = {
    cst.Add: operator.add, cst.Subtract: operator.sub, cst.Multiply: operator.mul, cst.Divide: operator.truediv,
}  # fmt: skip


def known_number(node: cst.CSTNode, defined: Mapping[str, cst.CSTNode]) -> float | None:
    """Return the value of an expression, if it is known; `defined` are the lines that define the module's constants."""
    match node:
        case cst.Name(value=title) if title in defined:
            line: Any = defined[title]
            constant = m.matches(line, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name(title))])]))
            return known_number(line.body[0].value, {}) if constant else None
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            value = known_number(inner, defined)
            return None if value is None else -value
        case cst.BinaryOperation(left=left, operator=sign, right=right) if type(sign) in _OPERATORS:
            first, second = known_number(left, defined), known_number(right, defined)
            if first is None or second is None or (not second and isinstance(sign, cst.Divide)):
                return None
            return float(_OPERATORS[type(sign)](first, second))
        case _:
            value = literal(node)
            return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
