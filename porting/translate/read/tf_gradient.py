"""Pieces of a function with a custom gradient: its returned values, and the statements left after parts are removed."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, literal, renamed, source
from porting.translate.ir import returned
from porting.translate.names import Names
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement
_TRUE: Final = {"None is None", "not None", "not False"}
_FALSE: Final = {"None", "None is not None", "False"}
_ZERO: Final = {"0", "0.0", "0."}
_SAME: Final = m.ComparisonTarget(m.Equal() | m.Is())
_SLICES: Final = {"tf.IndexedSlices", "tf.compat.v1.IndexedSlices"}  # how TensorFlow has some gradients, PyTorch none


def differentiated(
    given: Sequence[cst.Param],
    vjp: Sequence[Statement],
    inner: cst.FunctionDef,
    grad: cst.FunctionDef | None,
    numbers: Collection[str] = (),
) -> list[int]:
    """Return the positions of the inputs that get a gradient.

    Parameters
    ----------
    given : sequence of libcst.Param
        The parameters of the function.
    vjp : sequence of statement
        What its gradient does.
    inner : libcst.FunctionDef
        The function.
    grad : libcst.FunctionDef, optional
        The definition of its gradient; none of a lambda.
    numbers : collection of str
        The parameters that callers give as plain numbers.

    Raises
    ------
    Refusal
        If the numbers of inputs and gradients do not fit.
    """
    found = [_items(value) for value in values(vjp)]
    counts = {len(items) for items in found}
    if len(counts) > 1:
        raise Refusal(f"{inner.name.value}: returns different numbers of gradients", inner)
    count = counts.pop() if counts else 0
    if count == 1 and isinstance(found[0][0], cst.Name | cst.Call) and len(given) > 1 and given[1].default is None:
        return list(range(len(given)))  # a tuple that is computed
    if count > len(given) or any(p.default is None for p in given[count:]):
        if _takes_variables(grad):
            why = "gives gradients of the tf.Variables that it captures; make each an argument of the function"
            raise Refusal(f"{inner.name.value}: {why}", inner)
        raise Refusal(f"{inner.name.value}: has {len(given)} inputs and {count} gradients", inner)
    return [k for k in range(count) if not all(_nothing(items[k], given[k], numbers) for items in found)]


def _takes_variables(grad: cst.FunctionDef | None) -> bool:
    """Whether TensorFlow gives a gradient function the captured variables: it knows the parameter by this name."""
    return grad is not None and bool(m.findall(grad.params, m.Param(name=m.Name("variables"))))


def _nothing(item: Expression, parameter: cst.Param, numbers: Collection[str]) -> bool:
    """Whether a gradient is none: the number 0 is, and zeros for what has a number as its default, or is given one."""
    if m.matches(item, m.Name("None")) or source(item) in _ZERO:
        return True
    zeros = m.Call(args=[m.Arg(value=m.Name(parameter.name.value)), m.ZeroOrMore()])
    number = parameter.default is not None and isinstance(literal(parameter.default), int | float)
    if not (number or parameter.name.value in numbers):
        return False
    times = m.matches(item, m.BinaryOperation(operator=m.Multiply()))
    nothing = times and bool(_ZERO & {*re.split(r"\s*\*\s*", source(item))})  # 0. * dy
    return nothing or (m.matches(item, zeros) and "zeros_like" in source(item))


def _items(value: Expression | None) -> list[Expression]:
    """Return gradients one by one, of a tuple or a list."""
    return returned(cst.Tuple(value.elements) if isinstance(value, cst.List) else value)


def only(statement: Any, places: Sequence[int]) -> Any:
    """Change each ``return`` so that it returns only the gradients at some positions."""

    class Change(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: ARG002
            return False

        def leave_Return(self, original_node: Any, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
            items = [_items(updated_node.value)[k] for k in places]
            value = items[0] if len(items) == 1 else cst.Tuple([cst.Element(i) for i in items], lpar=[], rpar=[])
            return updated_node.with_changes(value=value)

    return statement.visit(Change())


def values(forward: Sequence[Statement]) -> list[Expression | None]:
    """Return what each ``return`` of a function gives; not those of functions within."""
    found: list[Expression | None] = []

    class Visitor(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002
            return False

        def visit_Return(self, node: cst.Return) -> None:
            found.append(node.value)

    for statement in forward:
        statement.visit(Visitor())
    return found


def returning(value: Expression) -> Statement:
    """Return the statement that returns a value."""
    return cst.SimpleStatementLine([cst.Return(value)])


def folded(body: Sequence[Any], none: Mapping[str, Expression], names: Names) -> list[Any]:
    """Return the statements of a gradient without those for ``variables=`` and tf.IndexedSlices: there are none."""

    class Fold(cst.CSTTransformer):
        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> Expression:  # noqa: ARG002
            is_asked = m.matches(updated_node, m.Call(func=m.Name("isinstance"), args=[m.Arg(), m.Arg()]))
            known = is_asked and names.path(updated_node.args[1].value) in _SLICES
            return cst.Name("False") if known else updated_node

        def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> Expression:  # noqa: ARG002
            is_asked = m.matches(updated_node, m.Comparison(m.Call(m.Name("type")), [_SAME]))
            known = is_asked and names.path(updated_node.comparisons[0].comparator) in _SLICES
            return cst.Name("False") if known else updated_node

        def leave_If(self, original_node: cst.If, updated_node: cst.If) -> Any:  # noqa: ARG002
            test = source(updated_node.test)
            if test not in _TRUE | _FALSE:
                return updated_node
            orelse = updated_node.orelse
            block = updated_node if test in _TRUE else orelse
            if block is None:
                return cst.RemoveFromParent()
            return orelse if isinstance(block, cst.If) and block is orelse else cst.FlattenSentinel(block.body.body)

        def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> Expression:  # noqa: ARG002
            test = source(updated_node.test)
            if test not in _TRUE | _FALSE:
                return updated_node
            return updated_node.body if test in _TRUE else updated_node.orelse

    return list(cst.Module([renamed(s, none) for s in body]).visit(Fold()).body)


def left(body: Sequence[Any], apart: set[str]) -> list[Any]:
    """Return the statements that are left after functions are removed, without the empty lines after them."""
    made: list[Any] = []
    gone = False
    for statement in body:
        out = isinstance(statement, cst.FunctionDef) and statement.name.value in apart
        if not out:
            lines = [line for line in statement.leading_lines if line.comment] if gone else statement.leading_lines
            made.append(statement.with_changes(leading_lines=lines))
        gone = out
    return made
