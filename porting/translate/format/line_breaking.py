"""Breaks lines that are too long, at their outermost brackets first, as formatters do."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

WIDTH: Final = 100
_INDENT: Final = 4
_OPEN: Final = cst.Tuple | cst.BinaryOperation | cst.IfExp | cst.BooleanOperation | cst.Comparison | cst.UnaryOperation


class Wrap(cst.CSTTransformer):
    """Breaks the lines of a module."""

    def __init__(self) -> None:
        self._depth = 0

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:  # noqa: ARG002 - libcst's name
        self._depth += 1

    def leave_IndentedBlock(self, original_node: Any, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:  # noqa: ARG002
        self._depth -= 1
        return updated_node

    def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
        behind = updated_node.trailing_whitespace
        bare = updated_node.with_changes(leading_lines=[], trailing_whitespace=cst.TrailingWhitespace())
        code = _code(bare)
        if "\n" in code or self._fits(code + (f"  {behind.comment.value}" if behind.comment else "")):
            return updated_node
        if behind.comment:  # it goes above the line
            above = cst.EmptyLine(indent=True, comment=behind.comment)
            updated_node = bare.with_changes(leading_lines=[*updated_node.leading_lines, above])
        if self._fits(code):
            return updated_node
        return updated_node.with_changes(body=[self._broken(small) for small in updated_node.body])

    def leave_If(self, original_node: Any, updated_node: cst.If) -> cst.If:  # noqa: ARG002
        test = _fitted(updated_node.test, self._depth, _INDENT * self._depth + len("elif "), 1)
        return updated_node.with_changes(test=test)

    def leave_FunctionDef(self, original_node: Any, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: ARG002
        empty = cst.SimpleStatementSuite([cst.Pass()])
        head = _code(updated_node.with_changes(body=empty, decorators=[], leading_lines=[])).removesuffix(" pass")
        if "\n" in head or self._fits(head):
            return updated_node
        return updated_node.with_changes(
            whitespace_before_params=_line(self._depth + 1), params=_last_comma(updated_node.params, self._depth)
        )

    def _fits(self, code: str) -> bool:
        return _INDENT * self._depth + len(code) <= WIDTH

    def _broken(self, small: Any) -> Any:
        field = next((f for f in ("value", "exc") if isinstance(getattr(small, f, None), cst.BaseExpression)), "")
        if not field:
            return small
        value = getattr(small, field)
        before = _INDENT * self._depth + len(_code(small)) - len(_code(value))
        return small.with_changes(**{field: _fitted(value, self._depth, before, 0)})


def _fitted(node: Any, depth: int, before: int, behind: int) -> Any:
    """Return an expression on lines that fit, of which the first begins and the last ends with other text."""
    if before + len(_code(node)) + behind <= WIDTH or "\n" in _code(node):
        return node
    match node:
        case cst.Call(args=args) if args:
            return _opened_call(node, depth, before)
        case cst.List(elements=elements) if elements:
            return node.with_changes(
                elements=_items(elements, depth),
                lbracket=cst.LeftSquareBracket(whitespace_after=_line(depth + 1)),
                rbracket=cst.RightSquareBracket(),
            )
        case cst.Subscript(value=value) | cst.Attribute(value=value):
            return node.with_changes(value=_fitted(value, depth, before, behind + len(_code(node)) - len(_code(value))))
        case _ if isinstance(node, _OPEN):
            return _in_brackets(node, depth)
        case _:
            return node


def _opened_call(node: cst.Call, depth: int, before: int) -> cst.Call:
    """Break a call behind its bracket; what the method is of, if that alone is too long."""
    if before + len(_code(node.func)) + 1 > WIDTH and isinstance(node.func, cst.Attribute):
        left = node.func.value
        behind = len(_code(node)) - len(_code(left))
        return node.with_changes(
            func=node.func.with_changes(value=_fitted(left, depth, before, min(behind, WIDTH // 2)))
        )
    if len(node.args) == 1 and _breaks(node.args[0].value):
        value = _at_operators(node.args[0].value, depth + 1)
        last = node.args[0].with_changes(
            value=value, whitespace_after_arg=_line(depth), comma=cst.MaybeSentinel.DEFAULT
        )
        if _INDENT * (depth + 1) + len(_code(node.args[0])) <= WIDTH:
            last = last.with_changes(value=node.args[0].value)
        return node.with_changes(whitespace_before_args=_line(depth + 1), args=[last])
    inside = ", ".join(_code(argument.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for argument in node.args)
    alone = len(node.args) == 1 and isinstance(node.args[0].value, cst.GeneratorExp)  # takes no comma
    if alone or _INDENT * (depth + 1) + len(inside) <= WIDTH:
        *most, last = node.args
        return node.with_changes(
            whitespace_before_args=_line(depth + 1), args=[*most, last.with_changes(whitespace_after_arg=_line(depth))]
        )
    return node.with_changes(whitespace_before_args=_line(depth + 1), args=_items(node.args, depth))


def _in_brackets(node: Any, depth: int) -> Any:
    """Put an expression in brackets of its own, with its parts on lines of their own if one does not do."""
    outer = not (node.lpar and isinstance(node, cst.Tuple))
    bare = node if outer else node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[1:])
    long = _INDENT * (depth + 1) + len(_code(bare.with_changes(lpar=[], rpar=[]))) > WIDTH
    if long and isinstance(bare, cst.Tuple):
        bare = bare.with_changes(elements=_items(bare.elements, depth))
        return bare.with_changes(
            lpar=[cst.LeftParen(whitespace_after=_line(depth + 1)), *bare.lpar], rpar=[*bare.rpar, cst.RightParen()]
        )
    if long:
        bare = _at_operators(bare, depth + 1)
    return bare.with_changes(
        lpar=[cst.LeftParen(whitespace_after=_line(depth + 1)), *bare.lpar],
        rpar=[*bare.rpar, cst.RightParen(whitespace_before=_line(depth))],
    )


def _at_operators(node: Any, depth: int) -> Any:
    """Break a chain of operators of one sort before each of them; a choice before ``if`` and ``else``."""
    width = _INDENT * depth
    match node:
        case cst.BinaryOperation() | cst.BooleanOperation():
            left = node.left
            if type(left) is type(node) and not left.lpar and _alike(left.operator, node.operator):
                left = _at_operators(left, depth)
            else:
                left = _fitted(left, depth, width, 0)
            operator = node.operator.with_changes(whitespace_before=_line(depth))
            right = _fitted(node.right, depth, width + len(_code(node.operator)) - 1, 0)
            return node.with_changes(left=left, operator=operator, right=right)
        case cst.IfExp():
            return node.with_changes(whitespace_before_if=_line(depth), whitespace_before_else=_line(depth))
        case _:
            return node


def _breaks(node: Any) -> bool:
    """Whether an expression has operators to break at."""
    return isinstance(node, cst.BinaryOperation | cst.BooleanOperation | cst.IfExp) and not node.lpar


def _alike(a: Any, b: Any) -> bool:
    sums, products = (cst.Add, cst.Subtract), (cst.Multiply, cst.Divide, cst.MatrixMultiply)
    return type(a) is type(b) or any(isinstance(a, of) and isinstance(b, of) for of in (sums, products))


def _items(parts: Sequence[Any], depth: int) -> list[Any]:
    """Put arguments or elements on lines of their own, with a comma behind the last."""
    inside = _INDENT * (depth + 1)
    made = []
    for n, part in enumerate(parts):
        extra = len(_code(part.with_changes(comma=cst.MaybeSentinel.DEFAULT))) - len(_code(part.value))
        end = _line(depth + 1 if n < len(parts) - 1 else depth)
        long = inside + extra + len(_code(part.value)) + 1 > WIDTH
        broken = long and _breaks(part.value)
        value = _at_operators(part.value, depth + 1) if broken else _fitted(part.value, depth + 1, inside + extra, 1)
        made.append(part.with_changes(value=value, comma=cst.Comma(whitespace_after=end)))
    return made


def _line(depth: int) -> cst.ParenthesizedWhitespace:
    """Return the end of a line within brackets, and the indent of the next one."""
    return cst.ParenthesizedWhitespace(last_line=cst.SimpleWhitespace(" " * _INDENT * depth))


def _last_comma(params: cst.Parameters, depth: int) -> cst.Parameters:
    """Put the closing bracket of a function's head on a line of its own."""
    for field in ("kwonly_params", "params"):
        found = list(getattr(params, field))
        if found:
            found[-1] = found[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_param=_line(depth))
            return params.with_changes(**{field: found})
    return params


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node).rstrip("\n")
