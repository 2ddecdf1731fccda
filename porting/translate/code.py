"""Builds pieces of Python code: from templates, with parentheses where they are needed, on lines that fit."""

import ast
import inspect
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

Expression = cst.BaseExpression
Given = Expression | None  # an argument, if it is given
TIGHT: Final = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))  # k=2

_BINARY: Final[dict[type[cst.CSTNode], int]] = {
    cst.BitOr: 5, cst.BitXor: 6, cst.BitAnd: 7, cst.LeftShift: 8, cst.RightShift: 8, cst.Add: 9, cst.Subtract: 9,
    cst.Multiply: 10, cst.Divide: 10, cst.FloorDivide: 10, cst.Modulo: 10, cst.MatrixMultiply: 10, cst.Power: 12,
}  # fmt: skip
_UNARY: Final = 11
_TIMES: Final = m.BinaryOperation(operator=m.Multiply() | m.Divide())  # whoever reads x * y @ z would wonder
_COMPARISON: Final = 4
_ATOM: Final = 14
_BANNER: Final = re.compile(r"#\s*[#*=~_-]{4,}")


def build(template: str, **parts: Expression | None) -> Expression:
    """Return an expression: a template such as ``tf.where({mask}, {x}, {y})`` with its parts put in."""
    made = _parsed(template).visit(_Put({name: part for name, part in parts.items() if part is not None}))
    assert isinstance(made, cst.BaseExpression)  # noqa: S101 - for mypy: an expression stays one
    return made


@cache
def _parsed(template: str) -> Expression:
    return cst.parse_expression(re.sub(r"\{(\w+)\}", r"__\1__", template))


class _Put(cst.CSTTransformer):
    def __init__(self, parts: Mapping[str, Expression]) -> None:
        self._parts = {f"__{name}__": part for name, part in parts.items()}

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Expression:
        found = self._parts.get(original_node.value)
        return found.deep_clone() if found is not None else updated_node


def name(text: str) -> Expression:
    """Return a name, dotted or not."""
    return cst.parse_expression(text)


def source(node: cst.CSTNode) -> str:
    """Return the text of an expression or a statement."""
    return cst.Module([]).code_for_node(tidy(node)).strip()


def docstring(text: str) -> str:
    """Return the source of a docstring, for a function at the left margin."""
    lines = inspect.cleandoc(text).splitlines()
    body = "\n".join([lines[0], *(f"    {line}".rstrip() for line in lines[1:])])
    if len(lines) > 1:
        body += "\n    "
    quotes = "'''" if '"""' in body else '"""'
    raw = "r" if "\\" in body else ""
    return f"{raw}{quotes}{body}{quotes}"


def same(a: cst.CSTNode, b: cst.CSTNode) -> bool:
    """Whether two expressions read the same."""
    return source(a) == source(b)


def tidy(node: Any) -> Any:
    """Put parentheses around what needs them, and around nothing else."""
    return node.visit(_Parentheses())


def _rank(node: Expression) -> int:
    match node:
        case cst.IfExp() | cst.Lambda() | cst.NamedExpr() | cst.Yield():
            return 0
        case cst.BooleanOperation():
            return 2 if isinstance(node.operator, cst.And) else 1
        case cst.UnaryOperation():
            return 3 if isinstance(node.operator, cst.Not) else _UNARY
        case cst.Comparison():
            return _COMPARISON
        case cst.BinaryOperation():
            return _BINARY[type(node.operator)]
        case _:
            return _ATOM


def _in(node: Expression, least: int) -> Expression:
    """Return an expression with parentheses if it binds less than it has to."""
    if isinstance(node, cst.Tuple | cst.GeneratorExp):
        return node
    if _rank(node) < least:
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node.with_changes(lpar=[], rpar=[])


class _Parentheses(cst.CSTTransformer):
    def leave_BinaryOperation(self, original_node: Any, updated_node: cst.BinaryOperation) -> Expression:  # noqa: ARG002
        rank, power = _rank(updated_node), isinstance(updated_node.operator, cst.Power)
        apart = isinstance(updated_node.operator, cst.MatrixMultiply) and m.matches(updated_node.left, _TIMES)
        left = _in(updated_node.left, rank + 1 if power or apart else rank)
        right = _in(updated_node.right, _UNARY if power else rank + 1)
        return updated_node.with_changes(left=left, right=right)

    def leave_UnaryOperation(self, original_node: Any, updated_node: cst.UnaryOperation) -> Expression:  # noqa: ARG002
        return updated_node.with_changes(expression=_in(updated_node.expression, _rank(updated_node)))

    def leave_BooleanOperation(self, original_node: Any, updated_node: cst.BooleanOperation) -> Expression:  # noqa: ARG002
        rank = _rank(updated_node)
        return updated_node.with_changes(left=_in(updated_node.left, rank), right=_in(updated_node.right, rank + 1))

    def leave_Comparison(self, original_node: Any, updated_node: cst.Comparison) -> Expression:  # noqa: ARG002
        return updated_node.with_changes(left=_in(updated_node.left, _COMPARISON + 1))

    def leave_ComparisonTarget(self, original_node: Any, updated_node: cst.ComparisonTarget) -> cst.ComparisonTarget:  # noqa: ARG002
        return updated_node.with_changes(comparator=_in(updated_node.comparator, _COMPARISON + 1))

    def leave_IfExp(self, original_node: Any, updated_node: cst.IfExp) -> Expression:  # noqa: ARG002
        body, test = _in(updated_node.body, 1), _in(updated_node.test, 1)
        return updated_node.with_changes(body=body, test=test, orelse=_in(updated_node.orelse, 0))

    def leave_Attribute(self, original_node: Any, updated_node: cst.Attribute) -> Expression:  # noqa: ARG002
        least = _ATOM + 1 if isinstance(updated_node.value, cst.Integer) else _ATOM
        return updated_node.with_changes(value=_in(updated_node.value, least))

    def leave_Call(self, original_node: Any, updated_node: cst.Call) -> Expression:  # noqa: ARG002
        return updated_node.with_changes(func=_in(updated_node.func, _ATOM))

    def leave_Subscript(self, original_node: Any, updated_node: cst.Subscript) -> Expression:  # noqa: ARG002
        return updated_node.with_changes(value=_in(updated_node.value, _ATOM))

    def leave_Arg(self, original_node: Any, updated_node: cst.Arg) -> cst.Arg:  # noqa: ARG002
        return updated_node.with_changes(value=_in(updated_node.value, 0))

    def leave_Return(self, original_node: Any, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
        return (
            updated_node if updated_node.value is None else updated_node.with_changes(value=_in(updated_node.value, 0))
        )

    def leave_Assign(self, original_node: Any, updated_node: cst.Assign) -> cst.Assign:  # noqa: ARG002
        return updated_node.with_changes(value=_in(updated_node.value, 0))


def names_in(node: cst.CSTNode) -> set[str]:
    """Return the variables that an expression or a statement reads or writes; no attributes, no keywords."""
    found: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_Attribute(self, node: cst.Attribute) -> bool:
            node.value.visit(self)
            return False

        def visit_Arg(self, node: cst.Arg) -> bool:
            node.value.visit(self)
            return False

        def visit_Param(self, node: cst.Param) -> bool:
            if node.default:
                node.default.visit(self)
            return False

        def visit_Annotation(self, node: cst.Annotation) -> bool:  # noqa: ARG002
            return False

        def visit_Name(self, node: cst.Name) -> None:
            found.add(node.value)

    node.visit(Visitor())
    return found


def renamed(node: Any, names: Mapping[str, Expression]) -> Any:
    """Return a node with variables replaced by others."""

    class Rename(cst.CSTTransformer):
        def visit_Attribute_attr(self, node: cst.Attribute) -> None:
            pass

        def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> Expression:
            return updated_node.with_changes(attr=original_node.attr)

        def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
            return updated_node.with_changes(keyword=original_node.keyword)

        def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Expression:
            found = names.get(original_node.value)
            return found.deep_clone() if found is not None else updated_node

    return node.visit(Rename()) if names else node


def is_none(node: cst.CSTNode | None) -> bool:
    """Whether an expression is ``None``."""
    return m.matches(node, m.Name("None")) if node is not None else True


def literal(node: cst.CSTNode | None) -> Any:
    """Return the value of a number, a text, a truth value, or a tuple of them; `...` if it is none of these."""
    if node is None:
        return None
    try:
        return ast.literal_eval(cst.Module([]).code_for_node(node).strip())
    except (ValueError, SyntaxError, TypeError):
        return ...


def in_one_line(node: cst.FunctionDef) -> cst.FunctionDef:
    """Return a function whose signature is not laid out; what is too long is laid out later."""
    bare = cst.SimpleWhitespace("")
    given = [p.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_param=bare) for p in node.params.params]
    params = node.params.with_changes(params=given)
    return node.with_changes(params=params, whitespace_before_params=bare)


def without_banners(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Return the lines above a definition without those that divide a file: ``# ======``."""
    return [line for line in lines if not (line.comment and _BANNER.match(line.comment.value))]
