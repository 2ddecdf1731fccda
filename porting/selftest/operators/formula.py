"""Operators, operands, constants, comparisons and signs."""

import ast
from collections.abc import Iterator
from typing import Final

from porting.selftest.mutation import Gradient
from porting.selftest.operators.node import Edit, called, like, number, written

_SWAPPED: Final[dict[type[ast.operator], ast.operator]] = {
    ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.Div(), ast.Div: ast.Mult(), ast.MatMult: ast.Mult(),
    ast.BitAnd: ast.BitOr(), ast.BitOr: ast.BitAnd(),
}  # fmt: skip
_ORDERED: Final = (ast.Sub, ast.Div, ast.MatMult, ast.Pow)
_COMPARED: Final[dict[type[ast.cmpop], tuple[ast.cmpop, ...]]] = {
    ast.Lt: (ast.LtE(), ast.Gt()),
    ast.LtE: (ast.Lt(), ast.GtE()),
    ast.Gt: (ast.GtE(), ast.Lt()),
    ast.GtE: (ast.Gt(), ast.LtE()),
    ast.Eq: (ast.NotEq(),),
    ast.NotEq: (ast.Eq(),),
}
_AXIS_KEYWORDS: Final = {"axis", "dim", "dims", "axes"}
_AXIS_SECOND: Final = {"sum", "mean", "reduce_sum", "reduce_mean", "amax", "reduce_max", "unsqueeze", "expand_dims"}


def operator_swapped(gradient: Gradient) -> Iterator[Edit]:
    """Yield + for -, * for / and back, and so on."""
    for node in gradient.nodes(ast.BinOp):
        if type(node.op) in _SWAPPED:
            yield node, like(node, op=_SWAPPED[type(node.op)])


def operands_exchanged(gradient: Gradient) -> Iterator[Edit]:
    """Yield b - a for a - b, where the order counts."""
    for node in gradient.nodes(ast.BinOp):
        if isinstance(node.op, _ORDERED):
            yield node, like(node, left=node.right, right=node.left)


def exponent_raised(gradient: Gradient) -> Iterator[Edit]:
    """Yield x ** (n + 1) for x ** n."""
    for node in gradient.nodes(ast.BinOp):
        if isinstance(node.op, ast.Pow):
            power = number(node.right)
            raised = written("{n} + 1", n=node.right) if power is None else _constant(power + 1)
            yield node, like(node, right=raised)


def operand_dropped(gradient: Gradient) -> Iterator[Edit]:
    """Yield each operand alone."""
    for node in gradient.nodes(ast.BinOp):
        yield node, node.left
        yield node, node.right


def constant_changed(gradient: Gradient) -> Iterator[Edit]:
    """Yield 1.01 c, c + 1 and 0 for a number, another axis for an axis, the other truth value."""
    axes = {id(axis) for axis in _axes(gradient)}
    inside = {id(n.operand) for n in gradient.nodes(ast.UnaryOp) if number(n) is not None}  # the 2 of -2
    for node in gradient.nodes(ast.Constant, ast.UnaryOp):
        c = number(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, ast.Constant(not node.value)
        elif c is None or id(node) in inside:
            continue
        elif id(node) in axes:
            yield node, _constant(-1 if c == 0 else 0)
        else:
            yield from ((node, _constant(other)) for other in (float(f"{1.01 * c:.12g}"), c + 1, 0) if other != c)


def comparison_changed(gradient: Gradient) -> Iterator[Edit]:
    """Yield the comparison with its end taken in or left out, and the opposite one."""
    for node in gradient.nodes(ast.Compare):
        if len(node.ops) == 1:
            yield from ((node, like(node, ops=[other])) for other in _COMPARED.get(type(node.ops[0]), ()))


def minus_dropped(gradient: Gradient) -> Iterator[Edit]:
    """Yield a for -a, and for the opposite of a mask."""
    for node in gradient.nodes(ast.UnaryOp):
        yield node, node.operand


def minus_added(gradient: Gradient) -> Iterator[Edit]:
    """Yield -a for each returned gradient and each value that gets a name."""
    named = [n.value for n in gradient.nodes(ast.Assign) if isinstance(n.value, ast.BinOp | ast.Call)]
    for value in [*named, *(g for group in gradient.returned for g in group)]:
        if not isinstance(value, ast.UnaryOp):  # there the minus is dropped
            yield value, ast.UnaryOp(ast.USub(), value)


def _constant(value: float) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _axes(gradient: Gradient) -> Iterator[ast.expr]:
    """Yield the numbers that name an axis or an index, not a quantity."""
    for call in gradient.nodes(ast.Call):
        places = [k.value for k in call.keywords if k.arg in _AXIS_KEYWORDS]
        if called(call) in _AXIS_SECOND:
            places += call.args
        for place in places:
            yield from place.elts if isinstance(place, ast.Tuple | ast.List) else [place]
    for part in gradient.nodes(ast.Subscript):
        yield from part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
